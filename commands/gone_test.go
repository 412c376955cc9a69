package commands

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store/queue"
)

// loses makes the service know an order no longer, for so long that it is gone.
func (r *rig) loses(id string) {
	r.t.Helper()
	r.service.edit(id, func(o *order.Order) { o.ID = "lost " + id })
	missed, err := r.store.Missed(r.t.Context(), id, time.Now())
	require.NoError(r.t, err)
	require.NoError(r.t, r.store.MarkGone(r.t.Context(), id, missed.Since))
	require.True(r.t, r.stored(id).Gone)
}

// finds makes it know the order again.
func (r *rig) finds(id string) {
	r.service.edit("lost "+id, func(o *order.Order) { o.ID = id })
}

func TestAnOrderThatIsGoneTakesNoMessage(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		r.presses(cards.ActionMessage, cards.Value(id, 0))
		r.loses(id)
		r.writes(map[string]string{"Message": "Hello"})
		require.Contains(r.t, r.screen.modal(), "gone at the service")
		require.Contains(r.t, r.screen.modal(), "Hello")
		r.finds(id)
		require.Empty(r.t, r.conversation())
	})
}

func TestWhoeverSeesAnOrderAgainBringsItBack(t *testing.T) {
	for name, looks := range map[string]func(r *rig) string{
		"show":    func(r *rig) string { return r.says("maria", "C1", "show order1") },
		"approve": func(r *rig) string { return r.says("maria", "C1", "approve order1") },
		"revise":  func(r *rig) string { return r.says("maria", "C1", "revise order1") },
		"cancel":  func(r *rig) string { return r.says("maria", "C1", "cancel order1") },
		"message": func(r *rig) string { return r.says("maria", "C1", "message order1 Hello") },
		"track": func(r *rig) string {
			r.assemble("maria")
			return r.says("maria", "C1", "track order1")
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inReview()
				r.loses("order1")
				if said := looks(r); name != "track" {
					require.Regexp(r.t, "(?i)(gone at|no longer knows)", said, "what is so")
				}
				require.True(r.t, r.stored("order1").Gone)
				r.finds("order1")
				said := looks(r)
				require.NotRegexp(r.t, "(?i)(gone at the service,|no longer knows)", said, "the service is asked, and is the judge")
				require.False(r.t, r.stored("order1").Gone)
				require.Len(r.t, r.eventsOf(order.EventBack), 1, "its channel is told")
			})
		})
	}
}

func TestAMessageForAnOrderThatIsGoneWaitsForTheService(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.loses("order1")
		r.service.set(func(f *forgetful) { f.down = true })
		require.NotContains(r.t, r.says("maria", "C1", "message order1 Hello"), "gone at the service")
		r.finds("order1")
		r.service.set(func(f *forgetful) { f.down = false })
		r.settle(time.Minute)
		require.Equal(r.t, []string{"Hello"}, r.conversation(), "it was neither refused nor lost")
	})
}

// Whoever waits for a form waits for a moment; a message waits as long as the service takes.
func TestAMessageForAnOrderThatIsGoneWaitsForASlowService(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.loses("order1")
		r.finds("order1")
		r.service.ponders = 2 * jobs.GoneLook
		r.types("message order1 Hello")
		r.settle(time.Minute)
		require.Equal(r.t, []string{"Hello"}, r.conversation())
		require.Equal(r.t, queue.Stats{Later: r.later()}, r.stats(), "nothing is left in the order's lane")
	})
}

// A service that refuses to tell of an order does not say that it is back.
func TestAMessageForAnOrderThatIsGoneIsGivenBackWhenTheServiceTellsNothing(t *testing.T) {
	for name, ask := range map[string]func(r *rig){
		"a line": func(r *rig) { r.types("message order1 Hello") },
		"a mention": func(r *rig) {
			r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Hello"}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inThread()
				r.loses("order1")
				r.service.odd = "the account is under review"
				ask(r)
				r.settle(time.Hour)
				require.Zero(r.t, r.stats().Dead)
				require.Contains(r.t, r.screen.lastTold(), "gone at the service")
				require.Contains(r.t, r.screen.lastTold(), "Hello", "the words are given back")
			})
		})
	}
}
