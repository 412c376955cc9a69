package commands

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/order"
)

// thenUnknown lets the service know the order no longer, once it has answered like that.
func (r *rig) thenUnknown(id string, answer serviceAnswer) serviceAnswer {
	return func(do func() order.Order) (order.Order, error) {
		o, err := answer(do)
		r.service.find(id).ID = "lost " + id
		return o, err
	}
}

// A change whose answer was lost may be carried out. That the service does not know the order
// at the next look, as a replica that lags behind does not, says nothing about it.
func TestAChangeThatMayBeOutIsNotRefusedWhenTheOrderIsNotKnown(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.placed()
		r.service.nextCancel = []serviceAnswer{r.thenUnknown(id, lost)}
		window := r.opens("maria", cards.ActionCancel, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"Reason": "Wrong photos"})
		r.settle(time.Minute)
		require.NotContains(r.t, r.shows(window), "was not canceled")
		require.Contains(r.t, r.shows(window), "cannot tell")
		require.Contains(r.t, r.shows(window), "Wrong photos")
		require.Len(r.t, r.screen.dms, 1, "unsettled money is always also a direct message")

		r.finds(id)
		r.record()
		require.Len(r.t, r.events(order.EventCanceled), 1)
		require.Equal(r.t, "maria", r.events(order.EventCanceled)[0].Actor, "who asked for it is not forgotten")
	})
}

// One that was refused is not out, whatever the service knows afterwards.
func TestARefusedChangeIsRefusedThoughTheOrderIsNotKnown(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		r.service.nextApprove = []func(func() order.Order) (order.Order, error){r.thenUnknown(id, refused("invalid order status"))}
		window := r.opens("maria", cards.ActionApprove, cards.Value(id, 0))
		r.sends("maria", window, nil)
		r.settle(time.Minute)
		require.Contains(r.t, r.shows(window), "was not approved")
		require.Empty(r.t, r.screen.dms)
	})
}

// Looks at a service that is away say nothing about the order: they do not bring nearer the
// moment at which it is given up.
func TestAChangeIsNotGivenUpAtTheFirstLookAfterAnOutage(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		r.service.nextApprove = []serviceAnswer{r.thenUnknown(id, r.breaks)}
		window := r.opens("maria", cards.ActionApprove, cards.Value(id, 0))
		r.sends("maria", window, nil)
		r.settle(time.Hour)
		looks := r.service.fetched()
		r.service.set(func(f *forgetful) { f.down = false })
		for r.service.fetched() == looks { // it lags behind when it is back
			r.settle(time.Second)
		}
		r.finds(id)
		r.settle(10 * time.Minute)
		require.Equal(r.t, 2, r.service.called("approve"), "the first never arrived")
		require.Len(r.t, r.approvals(), 1)
		require.Contains(r.t, r.shows(window), "Approved")
		require.Empty(r.t, r.screen.dms)
	})
}
