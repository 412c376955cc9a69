package kv

import (
	"context"
	"crypto/rand"
	"time"

	"darkroom/store/script"
)

// Lock elects one holder among all replicas, for a lease. Each Lock is a
// candidate of its own.
type Lock struct {
	db    DB
	name  string
	token string
	lease time.Duration
}

// Lock returns a candidate for the lock of that name. Its holder keeps
// it for lease, which each [Lock.Hold] begins anew.
func (d DB) Lock(name string, lease time.Duration) *Lock {
	return &Lock{db: d, name: name, token: rand.Text(), lease: lease}
}

// Hold takes the lock or renews it, and says whether this candidate has it now.
// On an error it may or may not have it: act as if not.
func (l *Lock) Hold(ctx context.Context) (bool, error) {
	held, err := l.db.Acquire(ctx, l.key(), l.token, l.lease)
	return held, About("lock", l.name, err)
}

// Release gives the lock up, if this candidate has it.
func (l *Lock) Release(ctx context.Context) error {
	err := locks.Run(ctx, l.db.Redis, "release", script.Keys{"key": l.key()}, script.Args{"holder": l.token}).Err()
	return About("lock", l.name, err)
}

func (l *Lock) key() string { return l.db.Key("lock", l.name) }
