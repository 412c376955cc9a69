package jobs_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

// untracks has an operator untrack the order.
func untracks(r *commandstest.Rig, id string) {
	r.T.Helper()
	_, err := r.Store.Changes.Untrack(r.T.Context(), id, "boss")
	require.NoError(r.T, err)
}

func TestNothingBeginsForAnOrderThatWasUntracked(t *testing.T) {
	for action, label := range map[string]string{cards.ActionApprove: "Feedback", cards.ActionRevise: "1 · 1.jpg"} {
		t.Run(action, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(1)
				window := r.Opens("maria", action, cards.Value(id, 0))
				untracks(r, id)
				r.Sends("maria", window, map[string]string{label: "Brighter"})
				r.Settle(10 * time.Minute)
				require.Contains(r.T, r.Shows(window), "There is no order")
				require.Contains(r.T, r.Shows(window), "Brighter", "her words")
				require.Empty(r.T, r.Asked())
				_, approves := r.Service.Sent()
				require.Zero(r.T, approves)
				require.Empty(r.T, r.Screen.DMs, "no job died of it")
			})
		})
	}
}

func TestWhatMayBeOutIsFinishedThoughTheOrderWasUntracked(t *testing.T) {
	untracking := func(r *commandstest.Rig) func(func() order.Order) (order.Order, error) {
		return func(func() order.Order) (order.Order, error) {
			untracks(r, "order1")
			return order.Order{}, commandstest.ErrUnknown
		}
	}
	t.Run("an approval", func(t *testing.T) {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			id := r.Delivers(1)
			r.Service.NextApprove = append(r.Service.NextApprove, untracking(r))
			window := r.Opens("maria", cards.ActionApprove, cards.Value(id, 0))
			r.Sends("maria", window, nil)
			r.Settle(10 * time.Minute)
			require.Contains(r.T, r.Shows(window), "Approved")
			require.Empty(r.T, r.Screen.DMs)
		})
	})
	t.Run("a message", func(t *testing.T) {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			id := r.InReview()
			r.Service.NextMessage = append(r.Service.NextMessage, untracking(r))
			r.Types("message " + id + " Soft light, please")
			r.Settle(10 * time.Minute)
			require.Equal(r.T, []string{"Soft light, please"}, r.Conversation())
			require.Contains(r.T, r.Screen.LastMessage(), "Sent to the editor")
			require.Empty(r.T, r.Screen.DMs)
		})
	})
}

func TestUnsettledMoneyIsToldOnceByDirectMessage(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		r.Submits()
		for range jobs.MaxSends {
			r.Service.NextCancel = append(r.Service.NextCancel, commandstest.Never)
		}
		window := r.Opens("maria", cards.ActionCancel, cards.Value("order1", 0))
		r.Screen.Closes()
		r.Sends("maria", window, map[string]string{"Reason": "Wrong photos"})
		r.Settle(10 * time.Minute)
		require.Len(r.T, r.Screen.DMs, 1, "once while it is tried, and not again in the end")
		require.Contains(r.T, r.Screen.DMs[0], "Wrong photos")
	})
}

func TestWhoHasClosedTheFormHearsThatTheServiceIsAway(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		window := r.Opens("maria", cards.ActionApprove, cards.Value(id, 0))
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		r.Screen.Closes()
		r.Sends("maria", window, nil)
		r.Settle(10 * time.Minute)
		require.Len(r.T, r.Screen.DMs, 1, "once")
		require.Contains(r.T, r.Screen.LastMessage(), "when it is back")
	})
}

// A poll notifies operators of an outage of the service. Without tracked orders, the orders being placed show the outage.
func TestAPollLearnsThatAnOrderWaitsForTheService(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		waits := func() bool {
			err := r.Store.Documents.Get(r.T.Context(), store.PlacingWaits, new(time.Time))
			if err != nil {
				require.ErrorIs(r.T, err, store.ErrAbsent)
			}
			return err == nil
		}
		polls := queue.New(r.Redis, queue.Options{Name: tenants.PollQueue, Logger: slog.New(slog.DiscardHandler)})
		ctx, stop := context.WithCancel(r.T.Context())
		ended, woken := make(chan error, 1), 0
		go func() {
			ended <- polls.Run(ctx, func(context.Context, *queue.Delivery) error {
				woken++
				return queue.Idle(24 * time.Hour)
			})
		}()
		defer func() { stop(); require.NoError(r.T, <-ended) }()
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		r.Types("new")
		require.False(r.T, waits())
		require.Zero(r.T, woken)
		r.Submits()
		for range 20 {
			r.Settle(time.Minute)
			require.True(r.T, waits(), "as long as it does")
		}
		require.Equal(r.T, 1, woken, "a service that does not answer is not asked at each try of an order")
		r.Service.Set(func(f *commandstest.Service) { f.Down = false })
		r.Settle(12 * time.Minute)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.False(r.T, waits())
	})
}

func TestTryAgainKeepsAnOrderThatTurnsUpAtThatVeryMoment(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.GivenUp()
		ghost := r.Service.Add("Smith wedding [" + r.Draft().Reference + "]")
		draft := r.Draft()
		_, err := r.Store.Changes.AddOrder(r.T.Context(), store.NewOrder{ // the watch was a moment faster
			ID: ghost.ID, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "maria"}, Reference: draft.Reference, Order: ghost,
		})
		require.NoError(r.T, err)
		r.Presses(place.ActionRetry, id)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Equal(r.T, ghost.ID, r.Draft().OrderID)
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 1, creates, "no second order is paid for")
	})
}

func TestWhatNeverGotAReferenceIsNotWatched(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		draft := r.Draft()
		r.Service.Add("Somebody else's []")
		require.NoError(r.T, r.Jobs.GiveUp(r.T.Context(), draft))
		r.Settle(20 * time.Minute)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
		require.Empty(r.T, r.Screen.DMs)
	})
}
