package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store/queue"
)

// loses makes the service forget an order for so long that it is gone.
func loses(r *commandstest.Rig, id string) {
	r.T.Helper()
	r.Service.Edit(id, func(o *order.Order) { o.ID = "lost " + id })
	missed, err := r.Store.Changes.Missed(r.T.Context(), id, time.Now())
	require.NoError(r.T, err)
	require.NoError(r.T, r.Store.Changes.MarkGone(r.T.Context(), id, missed.Since))
	require.True(r.T, r.Stored(id).Gone)
}

// finds makes the service know the order again.
func finds(r *commandstest.Rig, id string) {
	r.Service.Edit("lost "+id, func(o *order.Order) { o.ID = id })
}

func TestAnOrderThatIsGoneTakesNoMessage(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Presses(cards.ActionMessage, cards.Value(id, 0))
		loses(r, id)
		r.Fills(map[string]string{"Message": "Hello"})
		require.Contains(r.T, r.Screen.Modal(), "cannot find")
		require.Contains(r.T, r.Screen.Modal(), "Hello")
		finds(r, id)
		require.Empty(r.T, r.Conversation())
	})
}

func TestWhoeverSeesAnOrderAgainBringsItBack(t *testing.T) {
	for name, looks := range map[string]func(r *commandstest.Rig) string{
		"show":    func(r *commandstest.Rig) string { return r.Says("maria", "C1", "show order1") },
		"approve": func(r *commandstest.Rig) string { return r.Says("maria", "C1", "approve order1") },
		"revise":  func(r *commandstest.Rig) string { return r.Says("maria", "C1", "revise order1") },
		"cancel":  func(r *commandstest.Rig) string { return r.Says("maria", "C1", "cancel order1") },
		"message": func(r *commandstest.Rig) string { return r.Says("maria", "C1", "message order1 Hello") },
		"track": func(r *commandstest.Rig) string {
			r.Assemble("maria")
			return r.Says("maria", "C1", "track order1")
		},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InReview()
				loses(r, "order1")
				if said := looks(r); name != "track" {
					require.Regexp(r.T, "(?i)(gone at|cannot find)", said, "what is so")
				}
				require.True(r.T, r.Stored("order1").Gone)
				finds(r, "order1")
				said := looks(r)
				require.NotRegexp(r.T, "(?i)(cannot find,|no longer knows)", said, "the service is asked, and is the judge")
				require.False(r.T, r.Stored("order1").Gone)
				require.Len(r.T, r.Events(order.EventBack), 1, "its channel is told")
			})
		})
	}
}

func TestAMessageForAnOrderThatIsGoneWaitsForTheService(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		loses(r, "order1")
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		require.NotContains(r.T, r.Says("maria", "C1", "message order1 Hello"), "cannot find")
		finds(r, "order1")
		r.Service.Set(func(f *commandstest.Service) { f.Down = false })
		r.Settle(time.Minute)
		require.Equal(r.T, []string{"Hello"}, r.Conversation(), "it was neither refused nor lost")
	})
}

// A form waits for the service for a moment only; a message waits as long as it takes.
func TestAMessageForAnOrderThatIsGoneWaitsForASlowService(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		loses(r, "order1")
		finds(r, "order1")
		r.Service.FetchDelay = 2 * jobs.GoneTimeout
		r.Types("message order1 Hello")
		r.Settle(time.Minute)
		require.Equal(r.T, []string{"Hello"}, r.Conversation())
		require.Equal(r.T, queue.Stats{Delayed: later(r)}, r.Stats(), "nothing is left in the order's lane")
	})
}

// A refusal of the service does not mean that the order is back.
func TestAMessageForAnOrderThatIsGoneIsGivenBackWhenTheServiceTellsNothing(t *testing.T) {
	for name, ask := range map[string]func(r *commandstest.Rig){
		"a line": func(r *commandstest.Rig) { r.Types("message order1 Hello") },
		"a mention": func(r *commandstest.Rig) {
			r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Hello"}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InThread()
				loses(r, "order1")
				r.Service.FetchRefusal = "the account is under review"
				ask(r)
				r.Settle(time.Hour)
				require.Zero(r.T, r.Stats().Dead)
				require.Contains(r.T, r.Screen.LastMessage(), "cannot find")
				require.Contains(r.T, r.Screen.LastMessage(), "Hello", "the words are given back")
			})
		})
	}
}
