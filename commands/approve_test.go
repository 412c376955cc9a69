package commands

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
)

// inReview is an order of #shoots that waits for its review.
func (r *rig) inReview() string {
	r.t.Helper()
	r.types("new")
	r.submits()
	r.service.edit("order1", func(o *order.Order) {
		o.Status = order.StatusReviewing
		o.EditedImages = []order.EditedImage{{ID: "i1", Name: "a.jpg"}}
	})
	r.record()
	return "order1"
}

// record is what the poller does.
func (r *rig) record() {
	r.t.Helper()
	t, err := r.store.Order(r.t.Context(), "order1")
	require.NoError(r.t, err)
	seen, err := r.service.Fetch(r.t.Context(), "order1")
	require.NoError(r.t, err)
	_, _, err = r.store.Record(r.t.Context(), "order1", t.Version, seen)
	require.NoError(r.t, err)
}

// approvals are the events that tell of it.
func (r *rig) approvals() []order.Event {
	r.t.Helper()
	events, err := r.store.Events(r.t.Context(), "order1")
	require.NoError(r.t, err)
	var found []order.Event
	for _, e := range events {
		if e.Kind == order.EventApproved {
			found = append(found, e)
		}
	}
	return found
}

func TestAnApprovalIsRecordedWithItsName(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		r.presses(cards.ActionApprove, cards.Value(id, 0))
		r.approves()
		require.Contains(r.t, r.screen.modal(), "Approved")
		require.Len(r.t, r.approvals(), 1)
		require.Equal(r.t, "maria", r.approvals()[0].Actor)
	})
}

func TestThePollerMaySeeTheApprovalFirst(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		r.service.nextApprove = append(r.service.nextApprove, func(do func() order.Order) (order.Order, error) {
			order := do()
			r.service.Unlock()
			r.record()
			r.service.Lock()
			return order, nil
		})
		r.presses(cards.ActionApprove, cards.Value(id, 0))
		r.approves()
		require.Len(r.t, r.approvals(), 1)
		require.Equal(r.t, "maria", r.approvals()[0].Actor)
		require.Contains(r.t, r.screen.modal(), "Approved")
	})
}

func TestAnApprovalOfUnknownOutcome(t *testing.T) {
	for name, test := range map[string]struct {
		answers []func(func() order.Order) (order.Order, error)
		sends   int
	}{
		"that was carried out is not sent again": {[]func(func() order.Order) (order.Order, error){lost}, 1},
		"that was not is sent again":             {[]func(func() order.Order) (order.Order, error){never}, 2},
		"that arrives while it is sent again":    {[]func(func() order.Order) (order.Order, error){never, overtaken}, 2},
		"however often":                          {[]func(func() order.Order) (order.Order, error){never, unsent, lost}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				id := r.inReview()
				r.service.nextApprove = test.answers
				r.types("approve " + id)
				r.approves()
				r.settle(2 * time.Minute)
				_, sends := r.service.sent()
				require.Equal(r.t, test.sends, sends)
				require.Len(r.t, r.approvals(), 1)
				require.Equal(r.t, "maria", r.approvals()[0].Actor)
				require.Contains(r.t, r.screen.modal(), "Approved")
			})
		})
	}
}

func TestAnApprovalThatNeverLeftWaitsForAsLongAsItTakes(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		for range 8 {
			r.service.nextApprove = append(r.service.nextApprove, unsent)
		}
		r.presses(cards.ActionApprove, cards.Value(id, 0))
		r.approves()
		require.Contains(r.t, r.screen.modal(), "Nothing was sent yet")
		order, err := r.store.Order(r.t.Context(), id)
		require.NoError(r.t, err)
		require.Nil(r.t, order.Intent, "nothing is out: what somebody else does now is theirs")
		r.settle(10 * time.Minute)
		require.Len(r.t, r.approvals(), 1)
		require.Equal(r.t, "maria", r.approvals()[0].Actor)
	})
}

// overtaken is the answer to a second send when the first one has just arrived.
func overtaken(do func() order.Order) (order.Order, error) {
	do()
	return refused("invalid order status")(do)
}

func TestAnApprovalIsBoundToTheRevisionThatWasSeen(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		r.presses(cards.ActionApprove, cards.Value(id, 0))
		r.service.edit(id, func(o *order.Order) {
			one := 1
			o.Revision = &one
			o.EditedImages = append(o.EditedImages, order.EditedImage{ID: "i2", Name: "a.jpg", Revision: 1})
		})
		r.approves()
		_, sends := r.service.sent()
		require.Zero(r.t, sends)
		require.Contains(r.t, r.screen.modal(), "newer")
		order, err := r.store.Order(r.t.Context(), id)
		require.NoError(r.t, err)
		require.Nil(r.t, order.Intent)

		r.approves() // now of what she was shown
		require.Len(r.t, r.approvals(), 1)
	})
}

func TestAnOldButtonShowsTheNewerRevision(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		r.service.edit(id, func(o *order.Order) { one := 1; o.Revision = &one })
		r.record()
		r.presses(cards.ActionApprove, cards.Value(id, 0))
		require.Contains(r.t, r.screen.modal(), "newer")
	})
}

func TestARefusedApprovalClearsTheIntent(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		r.service.nextApprove = append(r.service.nextApprove, refused("the account is locked"))
		r.presses(cards.ActionApprove, cards.Value(id, 0))
		r.approves()
		require.Contains(r.t, r.screen.modal(), "the account is locked")
		order, err := r.store.Order(r.t.Context(), id)
		require.NoError(r.t, err)
		require.Nil(r.t, order.Intent)
		require.Empty(r.t, r.approvals())
	})
}

func TestWhoMayNot(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		r.screen.guests = map[string]bool{"ines": true}
		r.screen.out = map[string]bool{"tom": true}
		for name, action := range map[string]string{
			"approve": cards.ActionApprove, "revise": cards.ActionRevise, "cancel": cards.ActionCancel,
		} {
			r.click(bot.Request{Kind: bot.KindAction, Name: action, Value: cards.Value(id, 0), User: "ines"})
			require.Contains(r.t, r.screen.modal(), "Guests may look", name)
			require.Empty(r.t, r.screen.view(r.screen.last()).CallbackID, "nothing can be submitted")
			r.click(bot.Request{Kind: bot.KindAction, Name: action, Value: cards.Value(id, 0), User: "tom"})
			hidden := r.screen.modal()
			require.Empty(r.t, r.screen.view(r.screen.last()).CallbackID, "nothing can be submitted")
			r.click(bot.Request{Kind: bot.KindAction, Name: action, Value: cards.Value("nowhere", 0), User: "tom"})
			require.Equal(r.t, unnamed(hidden, id), unnamed(r.screen.modal(), "nowhere"), "hidden and absent read the same")
		}
	})
}

var externalID = regexp.MustCompile(`"external_id":"[^"]*"`)

// unnamed is a modal without what must differ: the window, and the id that was asked for.
func unnamed(modal, id string) string { return replace(externalID.ReplaceAllString(modal, ""), id) }

func TestApproveWithoutAnIDMeansTheOnlyOrderInReview(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.types("approve")
		require.Contains(r.t, r.screen.modal(), "Approve order")
	})
}

func TestAnOrderThatIsNotInReviewSaysSo(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		r.submits()
		r.types("approve order1")
		require.Contains(r.t, r.screen.modal(), "edit")
		require.Empty(r.t, r.screen.view(r.screen.last()).CallbackID, "nothing can be submitted")
	})
}
