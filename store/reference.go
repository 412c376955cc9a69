package store

import "context"

// ReserveReference keeps a reference for a draft, until its order is placed
// under it. False: another draft or order has it. Asking again is safe.
func (s *Store) ReserveReference(ctx context.Context, reference, draftID string) (bool, error) {
	ours, err := s.acquire(ctx, s.referenceKey(reference), "draft:"+draftID, referenceLife)
	return ours, about("reference", reference, err)
}

// Reserved tells whether anybody ever reserved a reference, as far as Redis remembers.
func (s *Store) Reserved(ctx context.Context, reference string) (bool, error) {
	n, err := s.rdb.Exists(ctx, s.referenceKey(reference)).Result()
	return n > 0, about("reference", reference, err)
}
