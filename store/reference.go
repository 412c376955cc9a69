package store

import (
	"context"
	"fmt"
)

var reserveScript = newScript("reserve")

// reserveArgs are the argument of reserve.lua.
type reserveArgs struct {
	Holder string `json:"holder"`      // "draft:ID"
	Life   int64  `json:"life,string"` // ms
}

// ReserveReference keeps a reference for a draft, until its order is placed
// under it. False: another draft or order has it. Asking again is safe.
func (s *Store) ReserveReference(ctx context.Context, reference, draftID string) (bool, error) {
	code, err := s.run(ctx, reserveScript, []string{referenceKey(reference)}, reserveArgs{"draft:" + draftID, referenceLife.Milliseconds()})
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
