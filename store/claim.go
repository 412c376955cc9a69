package store

import "context"

var claimScript = newScript("claim", referenceLua)

// claimArgs are the argument of claim.lua.
type claimArgs struct {
	ID        string `json:"id"`
	Reference string `json:"reference"`
}

// claim gives a reference to an order that was tracked without one: an operator let a
// channel follow it before we knew that it is the one we had sent. Its channel stays.
func (s *Store) claim(ctx context.Context, t Tracked, reference string) (Tracked, error) {
	if _, err := s.run(ctx, claimScript, []string{orderKey(t.ID), referenceKey(reference)}, claimArgs{t.ID, reference}); err != nil {
		return Tracked{}, orderError(t.ID, err)
	}
	return s.Order(ctx, t.ID)
}
