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

// Hold takes the lock or renews it, and says whether this candidate has it now.
// On an error it may or may not have it: act as if not.
func (l *Lock) Hold(ctx context.Context) (bool, error) {
	code, err := holdScript.Run(ctx, l.rdb, []string{lockKey(l.name)}, l.token, l.lease.Milliseconds()).Int()
	if err != nil {
		return false, fmt.Errorf("lock %s: %w", l.name, err)
	}
	return code == 1, nil
}

// Release gives the lock up, if this candidate has it.
func (l *Lock) Release(ctx context.Context) error {
	if err := releaseScript.Run(ctx, l.rdb, []string{lockKey(l.name)}, l.token).Err(); err != nil {
		return fmt.Errorf("lock %s: %w", l.name, err)
	}
	return nil
}

// KEYS: 1 lock. ARGV: 1 token, 2 lease in ms. Returns 1 when the lock is the
// token's now, else 0.
var holdScript = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
return 0
`)

// KEYS: 1 lock. ARGV: 1 token. Returns 1, or 0 when it was not the token's.
var releaseScript = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`)
