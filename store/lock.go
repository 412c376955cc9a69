package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// Lock elects one holder among all replicas, for a lease. Each Lock is a
// candidate of its own.
type Lock struct {
	rdb   redis.UniversalClient
	name  string
	token string
	lease time.Duration
}

// Lock returns a candidate for the lock of that name. Whoever holds it keeps
// it for lease, which each [Lock.Hold] begins anew.
func (s *Store) Lock(name string, lease time.Duration) *Lock {
	return &Lock{rdb: s.rdb, name: name, token: rand.Text(), lease: lease}
}

var (
	holdScript    = newScript("hold_lock")
	releaseScript = newScript("release_lock")
)

// lockArgs are the argument of hold_lock.lua and of release_lock.lua.
type lockArgs struct {
	Token string `json:"token"`
	Lease int64  `json:"lease,string"` // ms
}

func (l *Lock) run(ctx context.Context, script *redis.Script) (int, error) {
	code, err := script.Run(ctx, l.rdb, []string{lockKey(l.name)}, encode(lockArgs{l.token, l.lease.Milliseconds()})).Int()
	if err != nil {
		return 0, fmt.Errorf("lock %s: %w", l.name, err)
	}
	return code, nil
}

// Hold takes the lock or renews it, and says whether this candidate has it now.
// On an error it may or may not have it: act as if not.
func (l *Lock) Hold(ctx context.Context) (bool, error) {
	code, err := l.run(ctx, holdScript)
	return code == 1, err
}

// Release gives the lock up, if this candidate has it.
func (l *Lock) Release(ctx context.Context) error {
	_, err := l.run(ctx, releaseScript)
	return err
}
