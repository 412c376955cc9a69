package commands

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
)

// breaks is a service that takes the request, loses the answer, and is away from then on.
func (r *rig) breaks(func() order.Order) (order.Order, error) {
	r.service.down = true
	return order.Order{}, errUnknown
}

// What may be out is never called unsent, not to somebody either who was told so while
// the job stood behind another.
func TestWhatMayBeOutIsNotCalledUnsent(t *testing.T) {
	for name, behind := range map[string]bool{"alone": false, "told before that nothing was sent": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				id := r.delivers(1)
				r.service.nextRevise = []serviceAnswer{r.breaks}
				window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
				if behind {
					r.service.set(func(f *forgetful) { f.down = true })
					r.types("message " + id + " First")
					r.settle(10 * time.Second)
				}
				r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
				require.Equal(r.t, behind, containsAll(r.shows(window), "Nothing was sent yet"))
				if behind {
					r.service.set(func(f *forgetful) { f.down = false })
				}
				r.settle(2 * time.Minute)
				require.Contains(r.t, r.shows(window), "I cannot tell yet")
				require.Contains(r.t, r.shows(window), "Brighter", "her words")
				require.NotContains(r.t, r.shows(window), "Nothing was sent")
				r.service.set(func(f *forgetful) { f.down = false })
				r.settle(2 * time.Minute)
				require.Len(r.t, r.asked(), 1, "and it goes on by itself")
				require.Contains(r.t, r.shows(window), "Changes requested")
			})
		})
	}
}

// An answer that comes while somebody else recorded another change of the order is
// recorded all the same, at once.
func TestAnAnswerIsRecordedBesideAnotherChange(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.service.nextRevise = []serviceAnswer{func(do func() order.Order) (order.Order, error) {
			o := r.service.find(id)
			o.Conversation = []order.Entry{{From: "service", Content: "Which sky?", CreatedAt: time.Now()}}
			r.service.Unlock()
			r.record()
			r.service.Lock()
			return do(), nil
		}}
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Len(r.t, r.events(order.EventEditor), 1)
		require.Len(r.t, r.events(order.EventChanges), 1)
		require.Equal(r.t, "maria", r.events(order.EventChanges)[0].Actor)
	})
}

func TestAnAnswerAboutNoOrderIsGivenAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		d := r.revising("order9")
		require.NoError(r.t, r.doing(jobs.ReviseJob)(r.t.Context(), d))
		require.Contains(r.t, r.shows("revise:w"), "There is no order")
		r.screen.modals, r.screen.shown = nil, map[string]string{} // who told it died before that was known
		require.NoError(r.t, r.doing(jobs.ReviseJob)(r.t.Context(), d))
		require.Contains(r.t, r.shows("revise:w"), "There is no order")
		require.Contains(r.t, r.shows("revise:w"), "Brighter", "her words")
	})
}

// Whoever has left the channel and closed the form reads of it where they still are.
func TestWhoHasLeftTheChannelIsAnsweredByDirectMessage(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		view := r.filledIn(window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.screen.out = map[string]bool{"maria": true}
		r.screen.closed = true
		told := len(r.screen.told)
		r.sendsAs("V1:hash", "maria", view)
		require.Len(r.t, r.screen.dms, 1)
		require.Contains(r.t, r.screen.dms[0], "There is no order")
		require.Contains(r.t, r.screen.dms[0], "Brighter", "her words")
		require.Len(r.t, r.screen.told, told, "nothing in the channel")
	})
}

// An approval whose answer is lost is known again by the revision that it was of.
func TestAnApprovalOfALaterRevisionIsKnownAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.service.edit(id, func(o *order.Order) {
			one := 1
			o.Revision, o.EditedImages = &one, []order.EditedImage{{ID: "i1r1", Name: "1.jpg", Revision: 1}}
		})
		r.record()
		r.service.nextApprove = []serviceAnswer{lost}
		r.opens("maria", cards.ActionApprove, cards.Value(id, 1))
		r.approves()
		r.settle(time.Minute)
		require.Equal(r.t, 1, r.service.called("approve"))
		require.Len(r.t, r.approvals(), 1)
		require.Equal(r.t, "maria", r.approvals()[0].Actor)
		require.Contains(r.t, r.shows(r.screen.last()), "Approved")
	})
}

func TestAHomeThatIsOpenFollowsWhatTheyDo(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		require.Contains(r.t, r.comes("maria"), "Waiting for your review* · 1 order")
		r.opens("maria", cards.ActionApprove, cards.Value(id, 0))
		r.approves()
		r.settle(time.Minute)
		require.Contains(r.t, r.home("maria"), "Nothing waits for you")
	})
}
