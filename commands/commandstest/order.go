package commandstest

import (
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// InReview places an order in C1 that waits for review, and returns its id.
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

// Record records the service's state of the order, like the poller.
func (r *Rig) Record() {
	r.T.Helper()
	t, err := r.Store.Orders.Order(r.T.Context(), "order1")
	require.NoError(r.T, err)
	seen, err := r.Service.Fetch(r.T.Context(), "order1")
	require.NoError(r.T, err)
	_, _, err = r.Store.Changes.Record(r.T.Context(), "order1", t.Version, seen)
	require.NoError(r.T, err)
}

// Placed places an order in C1 and returns its id.
func (r *Rig) Placed() string {
	r.T.Helper()
	r.Types("new")
	r.Submits()
	return "order1"
}

// Cancels returns the number of calls that cancel an order.
func (r *Rig) Cancels() int {
	r.Service.Lock()
	defer r.Service.Unlock()
	return r.Service.cancels
}

// Breaks loses the answer of a call that did nothing, and takes the service down.
func (r *Rig) Breaks(func() order.Order) (order.Order, error) {
	r.Service.Down = true
	return order.Order{}, ErrUnknown
}

// Stored returns an order from the store.
func (r *Rig) Stored(id string) store.Tracked {
	r.T.Helper()
	t, err := r.Store.Orders.Order(r.T.Context(), id)
	require.NoError(r.T, err)
	return t
}
