package kv

import (
	"context"
	"crypto/rand"
	"time"
)

// Lock elects one holder among all replicas, for a lease. Each Lock is one
// candidate.
type Lock struct {
	db    DB
	name  string
	token string
	lease time.Duration
}

// Lock returns a candidate for the named lock. Each [Lock.Hold] starts a
// new lease.
func (d DB) Lock(name string, lease time.Duration) *Lock {
	return &Lock{db: d, name: name, token: rand.Text(), lease: lease}
}

// Hold takes the lock or renews it, and reports whether this candidate has it now.
// After an error, act as if it has not.
func (l *Lock) Hold(ctx context.Context) (bool, error) {
	held, err := l.db.Acquire(ctx, l.key(), l.token, l.lease)
	return held, About("lock", l.name, err)
}

// Release releases the lock if this candidate has it.
func (l *Lock) Release(ctx context.Context) error {
	_, err := l.db.Replace(ctx, l.key(), l.token, "")
	return About("lock", l.name, err)
}

func (l *Lock) key() string { return l.db.Key("lock", l.name) }
