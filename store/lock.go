package store

import (
	"context"
	"crypto/rand"
	"time"

	"darkroom/store/script"
)

// Lock elects one holder among all replicas, for a lease. Each Lock is a
// candidate of its own.
type Lock struct {
	store *Store
	name  string
	token string
	lease time.Duration
}

// Lock returns a candidate for the lock of that name. Whoever holds it keeps
// it for lease, which each [Lock.Hold] begins anew.
func (s *Store) Lock(name string, lease time.Duration) *Lock {
	return &Lock{store: s, name: name, token: rand.Text(), lease: lease}
}

// Hold takes the lock or renews it, and says whether this candidate has it now.
// On an error it may or may not have it: act as if not.
func (l *Lock) Hold(ctx context.Context) (bool, error) {
	held, err := l.store.acquire(ctx, l.key(), l.token, l.lease)
	return held, about("lock", l.name, err)
}

// Release gives the lock up, if this candidate has it.
func (l *Lock) Release(ctx context.Context) error {
	_, err := l.store.run(ctx, "release", script.Keys{"key": l.key()}, script.Args{"holder": l.token})
	return about("lock", l.name, err)
}

func (l *Lock) key() string { return l.store.key("lock", l.name) }

// acquire takes a key for a holder, or renews it, and says whether it is the holder's now.
func (s *Store) acquire(ctx context.Context, key, holder string, life time.Duration) (bool, error) {
	code, err := s.run(ctx, "acquire", script.Keys{"key": key}, script.Args{"holder": holder, "life": life})
	return code == 1, err
}
