package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/jobs/job"
	"darkroom/order"
)

// A request that may have arrived is never called unsent, not to a person either who was told so while
// the job stood behind another.
func TestWhatMayBeOutIsNotCalledUnsent(t *testing.T) {
	for name, behind := range map[string]bool{"alone": false, "told before that nothing was sent": true} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(1)
				r.Service.NextRevise = []commandstest.ServiceAnswer{r.Breaks}
				window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
				if behind {
					r.Service.Set(func(f *commandstest.Service) { f.Down = true })
					r.Types("message " + id + " First")
					r.Settle(10 * time.Second)
				}
				r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
				require.Equal(r.T, behind, commandstest.ContainsAll(r.Shows(window), "Nothing was sent yet"))
				if behind {
					r.Service.Set(func(f *commandstest.Service) { f.Down = false })
				}
				r.Settle(2 * time.Minute)
				require.Contains(r.T, r.Shows(window), "I do not know yet")
				require.Contains(r.T, r.Shows(window), "Brighter", "her words")
				require.NotContains(r.T, r.Shows(window), "Nothing was sent")
				r.Service.Set(func(f *commandstest.Service) { f.Down = false })
				r.Settle(2 * time.Minute)
				require.Len(r.T, r.Asked(), 1, "go on when this is fixed")
				require.Contains(r.T, r.Shows(window), "Changes requested")
			})
		})
	}
}

// An answer that comes while somebody else recorded another change of the order is
// recorded all the same, at once.
func TestAnAnswerIsRecordedBesideAnotherChange(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.NextRevise = []commandstest.ServiceAnswer{func(do func() order.Order) (order.Order, error) {
			o := r.Service.Find(id)
			o.Conversation = []order.Entry{{From: "service", Content: "Which sky?", CreatedAt: time.Now()}}
			r.Service.Unlock()
			r.Record()
			r.Service.Lock()
			return do(), nil
		}}
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Len(r.T, r.Events(order.EventEditor), 1)
		require.Len(r.T, r.Events(order.EventChanges), 1)
		require.Equal(r.T, "maria", r.Events(order.EventChanges)[0].Actor)
	})
}

func TestAnAnswerAboutNoOrderIsGivenAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		d := revising(r, "order9")
		require.NoError(r.T, r.Doing(job.Revise)(r.T.Context(), d))
		require.Contains(r.T, r.Shows("revise:w"), "There is no order")
		r.Screen.Modals, r.Screen.Shown = nil, map[string]string{} // who told it died before that was known
		require.NoError(r.T, r.Doing(job.Revise)(r.T.Context(), d))
		require.Contains(r.T, r.Shows("revise:w"), "There is no order")
		require.Contains(r.T, r.Shows("revise:w"), "Brighter", "her words")
	})
}

// A person who has left the channel and closed the form is answered by direct message.
func TestWhoHasLeftTheChannelIsAnsweredByDirectMessage(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		view := r.FilledIn(window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.Screen.Out = map[string]bool{"maria": true}
		r.Screen.Closed = true
		told := len(r.Screen.Ephemerals)
		r.SendsAs("V1:hash", "maria", view)
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.DMs[0], "There is no order")
		require.Contains(r.T, r.Screen.DMs[0], "Brighter", "her words")
		require.Len(r.T, r.Screen.Ephemerals, told, "nothing in the channel")
	})
}

// An approval whose answer is lost is recognised by its revision.
func TestAnApprovalOfALaterRevisionIsKnownAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.Edit(id, func(o *order.Order) {
			one := 1
			o.Revision, o.EditedImages = &one, []order.EditedImage{{ID: "i1r1", Name: "1.jpg", Revision: 1}}
		})
		r.Record()
		r.Service.NextApprove = []commandstest.ServiceAnswer{commandstest.Lost}
		r.Opens("maria", cards.ActionApprove, cards.Value(id, 1))
		r.Approves()
		r.Settle(time.Minute)
		require.Equal(r.T, 1, r.Service.Called("approve"))
		require.Len(r.T, r.Events(order.EventApproved), 1)
		require.Equal(r.T, "maria", r.Events(order.EventApproved)[0].Actor)
		require.Contains(r.T, r.Shows(r.Screen.Last()), "Approved")
	})
}

func TestAHomeThatIsOpenFollowsWhatTheyDo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		require.Contains(r.T, r.Comes("maria"), "Waiting for you* · 1 order")
		r.Opens("maria", cards.ActionApprove, cards.Value(id, 0))
		r.Approves()
		r.Settle(time.Minute)
		require.Contains(r.T, r.Home("maria"), "Nothing waits for you")
	})
}
