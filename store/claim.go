package store

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// claim gives a reference to an order that was tracked without one: an operator let a
// channel follow it before we knew that it is the one we had sent. Its channel stays.
func (s *Store) claim(ctx context.Context, t Tracked, reference string) (Tracked, error) {
	if _, err := s.run(ctx, claimScript, []string{orderKey(t.ID), referenceKey(reference)}, t.ID, reference); err != nil {
		return Tracked{}, orderError(t.ID, err)
	}
	return s.Order(ctx, t.ID)
}

// KEYS: 1 order, 2 the reference. ARGV: 1 order id, 2 reference. Returns 1, or 0 when the
// order has one already, or is no more.
var claimScript = redis.NewScript(ownLua + `
if redis.call('HGET', KEYS[1], 'reference') ~= '' then return 0 end
redis.call('HSET', KEYS[1], 'reference', ARGV[2])
own_reference(KEYS[2], ARGV[1], ARGV[2])
return 1
`)
