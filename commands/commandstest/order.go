package commandstest

import (
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// InReview is an order of #shoots that waits for its review.
func (r *Rig) InReview() string {
	r.T.Helper()
	r.Types("new")
	r.Submits()
	r.Service.Edit("order1", func(o *order.Order) {
		o.Status = order.StatusReviewing
		o.EditedImages = []order.EditedImage{{ID: "i1", Name: "a.jpg"}}
	})
	r.Record()
	return "order1"
}

// Record is what the poller does.
func (r *Rig) Record() {
	r.T.Helper()
	t, err := r.Store.Orders.Order(r.T.Context(), "order1")
	require.NoError(r.T, err)
	seen, err := r.Service.Fetch(r.T.Context(), "order1")
	require.NoError(r.T, err)
	_, _, err = r.Store.Changes.Record(r.T.Context(), "order1", t.Version, seen)
	require.NoError(r.T, err)
}

// Placed is a new order of #shoots.
func (r *Rig) Placed() string {
	r.T.Helper()
	r.Types("new")
	r.Submits()
	return "order1"
}

// Cancels is how often the service was asked to cancel.
func (r *Rig) Cancels() int {
	r.Service.Lock()
	defer r.Service.Unlock()
	return r.Service.cancels
}

// Breaks is a service that takes the request, loses the answer, and is away from then on.
func (r *Rig) Breaks(func() order.Order) (order.Order, error) {
	r.Service.Down = true
	return order.Order{}, ErrUnknown
}

// Stored is what the record has of an order.
func (r *Rig) Stored(id string) store.Tracked {
	r.T.Helper()
	t, err := r.Store.Orders.Order(r.T.Context(), id)
	require.NoError(r.T, err)
	return t
}
