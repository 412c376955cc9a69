package store

import (
	"context"
	"darkroom/store/kv"
)

// ReserveReference keeps a reference for a draft, until its order is placed
// under it. False: another draft or order has it. Asking again is safe.
func (s *Drafts) ReserveReference(ctx context.Context, reference, draftID string) (bool, error) {
	ours, err := s.db.Acquire(ctx, referenceKey(s.db, reference), "draft:"+draftID, referenceLife)
	return ours, kv.About("reference", reference, err)
}

// Reserved tells whether anybody ever reserved a reference, as far as Redis remembers.
func (s *Drafts) Reserved(ctx context.Context, reference string) (bool, error) {
	n, err := s.db.Redis.Exists(ctx, referenceKey(s.db, reference)).Result()
	return n > 0, kv.About("reference", reference, err)
}
