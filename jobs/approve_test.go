package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

func TestAnApprovalIsRecordedWithItsName(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Presses(cards.ActionApprove, cards.Value(id, 0))
		r.Approves()
		require.Contains(r.T, r.Screen.Modal(), "Approved")
		require.Len(r.T, r.Events(order.EventApproved), 1)
		require.Equal(r.T, "maria", r.Events(order.EventApproved)[0].Actor)
	})
}

func TestThePollerMaySeeTheApprovalFirst(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Service.NextApprove = append(r.Service.NextApprove, func(do func() order.Order) (order.Order, error) {
			order := do()
			r.Service.Unlock()
			r.Record()
			r.Service.Lock()
			return order, nil
		})
		r.Presses(cards.ActionApprove, cards.Value(id, 0))
		r.Approves()
		require.Len(r.T, r.Events(order.EventApproved), 1)
		require.Equal(r.T, "maria", r.Events(order.EventApproved)[0].Actor)
		require.Contains(r.T, r.Screen.Modal(), "Approved")
	})
}

func TestAnApprovalOfUnknownOutcome(t *testing.T) {
	for name, test := range map[string]struct {
		answers []func(func() order.Order) (order.Order, error)
		sends   int
	}{
		"that was carried out is not sent again": {[]func(func() order.Order) (order.Order, error){commandstest.Lost}, 1},
		"that was not is sent again":             {[]func(func() order.Order) (order.Order, error){commandstest.Never}, 2},
		"that arrives while it is sent again":    {[]func(func() order.Order) (order.Order, error){commandstest.Never, overtaken}, 2},
		"however often":                          {[]func(func() order.Order) (order.Order, error){commandstest.Never, commandstest.Unsent, commandstest.Lost}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.InReview()
				r.Service.NextApprove = test.answers
				r.Types("approve " + id)
				r.Approves()
				r.Settle(2 * time.Minute)
				_, sends := r.Service.Sent()
				require.Equal(r.T, test.sends, sends)
				require.Len(r.T, r.Events(order.EventApproved), 1)
				require.Equal(r.T, "maria", r.Events(order.EventApproved)[0].Actor)
				require.Contains(r.T, r.Screen.Modal(), "Approved")
			})
		})
	}
}

func TestAnApprovalThatNeverLeftWaitsForAsLongAsItTakes(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		for range 8 {
			r.Service.NextApprove = append(r.Service.NextApprove, commandstest.Unsent)
		}
		r.Presses(cards.ActionApprove, cards.Value(id, 0))
		r.Approves()
		require.Contains(r.T, r.Screen.Modal(), "Nothing was sent yet")
		placed, err := r.Store.Orders.Order(r.T.Context(), id)
		require.NoError(r.T, err)
		require.Nil(r.T, placed.Intent, "nothing is out: what somebody else does now is theirs")
		r.Settle(10 * time.Minute)
		require.Len(r.T, r.Events(order.EventApproved), 1)
		require.Equal(r.T, "maria", r.Events(order.EventApproved)[0].Actor)
	})
}

// overtaken answers the second send, after the first has just arrived.
func overtaken(do func() order.Order) (order.Order, error) {
	do()
	return commandstest.Refused("invalid order status")(do)
}

func TestAnApprovalIsBoundToTheRevisionThatWasSeen(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Presses(cards.ActionApprove, cards.Value(id, 0))
		r.Service.Edit(id, func(o *order.Order) {
			one := 1
			o.Revision = &one
			o.EditedImages = append(o.EditedImages, order.EditedImage{ID: "i2", Name: "a.jpg", Revision: 1})
		})
		r.Approves()
		_, sends := r.Service.Sent()
		require.Zero(r.T, sends)
		require.Contains(r.T, r.Screen.Modal(), "newer")
		placed, err := r.Store.Orders.Order(r.T.Context(), id)
		require.NoError(r.T, err)
		require.Nil(r.T, placed.Intent)

		r.Approves() // now of what she was shown
		require.Len(r.T, r.Events(order.EventApproved), 1)
	})
}

func TestARefusedApprovalClearsTheIntent(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Service.NextApprove = append(r.Service.NextApprove, commandstest.Refused("the account is locked"))
		r.Presses(cards.ActionApprove, cards.Value(id, 0))
		r.Approves()
		require.Contains(r.T, r.Screen.Modal(), "the account is locked")
		placed, err := r.Store.Orders.Order(r.T.Context(), id)
		require.NoError(r.T, err)
		require.Nil(r.T, placed.Intent)
		require.Empty(r.T, r.Events(order.EventApproved))
	})
}
