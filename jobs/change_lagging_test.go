package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

// thenUnknown makes the service forget the order after it has answered like that.
func thenUnknown(r *commandstest.Rig, id string, answer commandstest.ServiceAnswer) commandstest.ServiceAnswer {
	return func(do func() order.Order) (order.Order, error) {
		o, err := answer(do)
		r.Service.Find(id).ID = "lost " + id
		return o, err
	}
}

// A change whose answer was lost may be carried out. A lagging replica of the service that does not know the order
// at the next fetch proves nothing.
func TestAChangeThatMayBeOutIsNotRefusedWhenTheOrderIsNotKnown(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Placed()
		r.Service.NextCancel = []commandstest.ServiceAnswer{thenUnknown(r, id, commandstest.Lost)}
		window := r.Opens("maria", cards.ActionCancel, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"Reason": "Wrong photos"})
		r.Settle(time.Minute)
		require.NotContains(r.T, r.Shows(window), "was not canceled")
		require.Contains(r.T, r.Shows(window), "I do not know yet")
		require.Contains(r.T, r.Shows(window), "Wrong photos")
		require.Len(r.T, r.Screen.DMs, 1, "unsettled money is always also a direct message")

		finds(r, id)
		r.Record()
		require.Len(r.T, r.Events(order.EventCanceled), 1)
		require.Equal(r.T, "maria", r.Events(order.EventCanceled)[0].Actor, "who asked for it is not forgotten")
	})
}

// A refused change was not carried out, whether the service knows the order afterwards or not.
func TestARefusedChangeIsRefusedThoughTheOrderIsNotKnown(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Service.NextApprove = []func(func() order.Order) (order.Order, error){thenUnknown(r, id, commandstest.Refused("invalid order status"))}
		window := r.Opens("maria", cards.ActionApprove, cards.Value(id, 0))
		r.Sends("maria", window, nil)
		r.Settle(time.Minute)
		require.Contains(r.T, r.Shows(window), "was not approved")
		require.Empty(r.T, r.Screen.DMs)
	})
}

// Looks at a service that is away say nothing about the order: they do not bring nearer the
// moment at which it is given up.
func TestAChangeIsNotGivenUpAtTheFirstLookAfterAnOutage(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Service.NextApprove = []commandstest.ServiceAnswer{thenUnknown(r, id, r.Breaks)}
		window := r.Opens("maria", cards.ActionApprove, cards.Value(id, 0))
		r.Sends("maria", window, nil)
		r.Settle(time.Hour)
		looks := r.Service.Fetched()
		r.Service.Set(func(f *commandstest.Service) { f.Down = false })
		for r.Service.Fetched() == looks { // it lags behind when it is back
			r.Settle(time.Second)
		}
		finds(r, id)
		r.Settle(10 * time.Minute)
		require.Equal(r.T, 2, r.Service.Called("approve"), "the first never arrived")
		require.Len(r.T, r.Events(order.EventApproved), 1)
		require.Contains(r.T, r.Shows(window), "Approved")
		require.Empty(r.T, r.Screen.DMs)
	})
}
