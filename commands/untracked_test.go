package commands

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
)

// untracks is an operator ending the channel's ownership.
func (r *rig) untracks(id string) {
	r.t.Helper()
	_, err := r.store.Untrack(r.t.Context(), id, "boss")
	require.NoError(r.t, err)
}

func TestNothingBeginsForAnOrderThatWasUntracked(t *testing.T) {
	for action, label := range map[string]string{cards.ActionApprove: "Feedback", cards.ActionRevise: "1 · 1.jpg"} {
		t.Run(action, func(t *testing.T) {
			bubble(t, func(r *rig) {
				id := r.delivers(1)
				window := r.opens("maria", action, cards.Value(id, 0))
				r.untracks(id)
				r.sends("maria", window, map[string]string{label: "Brighter"})
				r.settle(10 * time.Minute)
				require.Contains(r.t, r.shows(window), "There is no order")
				require.Contains(r.t, r.shows(window), "Brighter", "her words")
				require.Empty(r.t, r.asked())
				_, approves := r.service.sent()
				require.Zero(r.t, approves)
				require.Empty(r.t, r.screen.dms, "no job died of it")
			})
		})
	}
}

func TestWhatMayBeOutIsFinishedThoughTheOrderWasUntracked(t *testing.T) {
	untracking := func(r *rig) func(func() order.Order) (order.Order, error) {
		return func(func() order.Order) (order.Order, error) {
			r.untracks("order1")
			return order.Order{}, errUnknown
		}
	}
	t.Run("an approval", func(t *testing.T) {
		bubble(t, func(r *rig) {
			id := r.delivers(1)
			r.service.nextApprove = append(r.service.nextApprove, untracking(r))
			window := r.opens("maria", cards.ActionApprove, cards.Value(id, 0))
			r.sends("maria", window, nil)
			r.settle(10 * time.Minute)
			require.Contains(r.t, r.shows(window), "Approved")
			require.Empty(r.t, r.screen.dms)
		})
	})
	t.Run("a message", func(t *testing.T) {
		bubble(t, func(r *rig) {
			id := r.inReview()
			r.service.nextMessage = append(r.service.nextMessage, untracking(r))
			r.types("message " + id + " Soft light, please")
			r.settle(10 * time.Minute)
			require.Equal(r.t, []string{"Soft light, please"}, r.conversation())
			require.Contains(r.t, r.screen.lastTold(), "Sent to the editor")
			require.Empty(r.t, r.screen.dms)
		})
	})
}

func TestUnsettledMoneyIsToldOnceByDirectMessage(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		r.submits()
		for range jobs.MostSends {
			r.service.nextCancel = append(r.service.nextCancel, never)
		}
		window := r.opens("maria", cards.ActionCancel, cards.Value("order1", 0))
		told := len(r.screen.told)
		r.screen.closes()
		r.sends("maria", window, map[string]string{"Reason": "Wrong photos"})
		r.settle(10 * time.Minute)
		require.Len(r.t, r.screen.dms, 1)
		require.Contains(r.t, r.screen.dms[0], "Wrong photos")
		require.Len(r.t, r.screen.told[told:], 1, "once while it is tried, and not again in the end")
	})
}

func TestWhoHasClosedTheFormHearsThatTheServiceIsAway(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		window := r.opens("maria", cards.ActionApprove, cards.Value(id, 0))
		r.service.set(func(f *forgetful) { f.down = true })
		r.screen.closes()
		told := len(r.screen.told)
		r.sends("maria", window, nil)
		r.settle(10 * time.Minute)
		require.Len(r.t, r.screen.told[told:], 1, "once")
		require.Contains(r.t, r.screen.lastTold(), "as soon as the service is back")
	})
}

func TestTryAgainKeepsAnOrderThatTurnsUpAtThatVeryMoment(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.givenUp()
		ghost := r.service.add("Smith wedding [" + r.draft().Reference + "]")
		draft := r.draft()
		_, err := r.store.Place(r.t.Context(), store.Placement{ // the watch was a moment faster
			ID: ghost.ID, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "maria"}, Reference: draft.Reference, Order: ghost,
		})
		require.NoError(r.t, err)
		r.presses(cards.ActionRetry, id)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
		require.Equal(r.t, ghost.ID, r.draft().OrderID)
		creates, _ := r.service.sent()
		require.Equal(r.t, 1, creates, "no second order is paid for")
	})
}

func TestWhatNeverGotAReferenceIsNotWatched(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		draft := r.draft()
		r.service.add("Somebody else's []")
		require.NoError(r.t, r.jobs.GiveUp(r.t.Context(), draft))
		r.settle(20 * time.Minute)
		require.Equal(r.t, store.DraftUnknown, r.draft().State)
		require.Empty(r.t, r.screen.dms)
	})
}
