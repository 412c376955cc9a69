package jobs

import (
	"context"
	"crypto/sha256"
	"math/rand/v2"

	"darkroom/order"
	"darkroom/store"
	"darkroom/upstream"
)

// request returns the draft as a request to the service.
func request(d store.Draft) upstream.NewOrder {
	all := d.Images()
	images := make([]upstream.Image, len(all))
	for i, image := range all {
		images[i] = upstream.Image{URL: image.Address, Service: image.Service, Instruction: image.Instruction}
	}
	return upstream.NewOrder{
		ProjectName: order.FullName(d.ProjectName, d.Reference), Instructions: d.Instructions,
		CustomerID: d.CustomerID, Images: images,
	}
}

// nameOrder gives the draft its reference, and a name if the person gave it no name. Both are derived from the draft's
// id alone, so that they are the same after Redis forgot them, and a sent order is found by them. fresh reports that
// the reference was not reserved before. Otherwise, or if forgotten is set, the reference may be as old as the form.
func (j *Place) nameOrder(ctx context.Context, d *store.Draft, forgotten bool) (fresh bool, _ error) {
	if d.Reference != "" {
		return false, nil
	}
	source := rand.NewChaCha8(sha256.Sum256([]byte(d.ID)))
	fresh = true
	for d.Reference == "" {
		ref, err := order.GenerateReference(source)
		if err != nil {
			return false, err
		}
		held, err := j.store.Drafts.Reserved(ctx, ref)
		if err != nil {
			return false, err
		}
		free, err := j.store.Drafts.ReserveReference(ctx, ref, d.ID)
		if err != nil {
			return false, err
		}
		if free {
			d.Reference, d.ReferenceAt, fresh = ref, d.SubmittedAt, !held
		}
	}
	if (forgotten || !fresh) && !d.OpenedAt.IsZero() {
		d.ReferenceAt = d.OpenedAt
	}
	if d.ProjectName == "" {
		var err error
		if d.ProjectName, err = order.FriendlyName(source); err != nil {
			return false, err
		}
	}
	return fresh, j.store.Drafts.SaveDraft(ctx, *d)
}
