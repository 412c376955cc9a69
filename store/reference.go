package store

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// ReserveReference keeps a reference for a draft, until its order is placed
// under it. False: another draft or order has it. Asking again is safe.
func (s *Store) ReserveReference(ctx context.Context, reference, draftID string) (bool, error) {
	code, err := s.run(ctx, reserveScript, []string{referenceKey(reference)}, "draft:"+draftID, referenceLife.Milliseconds())
	if err != nil {
		return false, fmt.Errorf("reference %s: %w", reference, err)
	}
	return code == 1, nil
}

// Reserved tells whether anybody ever reserved a reference, as far as Redis remembers.
func (s *Store) Reserved(ctx context.Context, reference string) (bool, error) {
	n, err := s.rdb.Exists(ctx, referenceKey(reference)).Result()
	if err != nil {
		return false, fmt.Errorf("reference %s: %w", reference, err)
	}
	return n > 0, nil
}

// KEYS: 1 reference. ARGV: 1 whose it is, 2 ms to keep it. Returns 1, or 0 when
// it is another's.
var reserveScript = redis.NewScript(`
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`)
