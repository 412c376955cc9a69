package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
)

// The service is away when the order is sent. It never left, so it is not searched.
func TestAnOrderThatNeverLeftIsNotLookedFor(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.Set(func(f *commandstest.Service) {
			f.NextCreate = []commandstest.ServiceAnswer{commandstest.Unsent, commandstest.Unsent}
		})
		r.Types("new")
		r.Submits()
		r.Settle(time.Minute)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Equal(r.T, 3, r.Service.Called("create"))
		require.Zero(r.T, r.Service.Listed())
	})
}

// An order that waited for an approver was never sent before.
func TestAnOrderThatWasAllowedIsNotLookedFor(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		asks(r, store.Decides{OrderLimit: 2})
		submitsDraft(r, "held", 3)
		require.True(r.T, draftNow(r, "held").IsHeld())
		decidesHold(r, *draftNow(r, "held").Hold, true)
		r.Settle(10 * time.Second)
		require.Equal(r.T, store.DraftPlaced, draftNow(r, "held").State)
		require.Zero(r.T, r.Service.Listed())
	})
}

// A rate limit carries nothing out. An order that meets it in its search waits, and its outcome is never called unknown.
func TestAnOrderThatIsTurnedAwayWaits(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		busy := func(func() order.Order) (order.Order, error) { return order.Order{}, commandstest.TooMany }
		r.Service.Set(func(f *commandstest.Service) {
			f.Others(400, 0)
			for i := range f.Orders {
				f.Orders[i].OrderedAt = time.Now()
			}
			f.Limits(1)
			f.NextCreate = []commandstest.ServiceAnswer{busy, busy}
		})
		r.Types("new")
		r.Submits()
		r.Settle(20 * time.Minute)
		require.Equal(r.T, store.DraftPlacing, r.Draft().State)
		require.NotContains(r.T, r.Screen.Modal(), "may or may not")
		r.Service.Set(func(f *commandstest.Service) { f.Limits(100) })
		r.Settle(10 * time.Minute)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Len(r.T, r.Service.Orders, 401)
	})
}
