package jobs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/order"
)

func TestACancellationIsRecordedWithItsReason(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Placed()
		r.Types("cancel " + id + " the wrong photos")
		window := r.Screen.Last()
		for _, want := range []string{"promises to take it back until", "It may still do so until", "the wrong photos", "decides if credits come back"} {
			require.Contains(r.T, r.Shows(window), want)
		}
		r.Sends("maria", window, nil)
		require.Contains(r.T, r.Shows(window), "Canceled")
		require.Len(r.T, r.Events(order.EventCanceled), 1)
		require.Equal(r.T, "maria", r.Events(order.EventCanceled)[0].Actor)
		require.Equal(r.T, []string{"the wrong photos"}, r.Events(order.EventCanceled)[0].Words)
	})
}

func TestACancellationOfUnknownOutcome(t *testing.T) {
	for name, test := range map[string]struct {
		answers []commandstest.ServiceAnswer
		sends   int
	}{
		"that was carried out is not sent again": {[]commandstest.ServiceAnswer{commandstest.Lost}, 1},
		"that was not is sent again":             {[]commandstest.ServiceAnswer{commandstest.Never}, 2},
		"that arrives and is refused as late":    {[]commandstest.ServiceAnswer{commandstest.Never, overtakenLate}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Placed()
				r.Service.NextCancel = test.answers
				window := r.Opens("maria", cards.ActionCancel, cards.Value(id, 0))
				r.Sends("maria", window, map[string]string{"Reason": "Wrong photos"})
				r.Settle(2 * time.Minute)
				require.Equal(r.T, test.sends, r.Cancels())
				require.Len(r.T, r.Events(order.EventCanceled), 1)
				require.Equal(r.T, "maria", r.Events(order.EventCanceled)[0].Actor)
				require.Contains(r.T, r.Shows(window), "Canceled")
			})
		})
	}
}

// overtakenLate answers the second send, after the first has just arrived.
func overtakenLate(do func() order.Order) (order.Order, error) {
	do()
	return commandstest.Refused("15 min deadline passed")(do)
}

func TestTooLateIsToldInTheServicesWords(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Placed()
		r.Service.NextCancel = []commandstest.ServiceAnswer{commandstest.Refused("15 min deadline passed")}
		window := r.Opens("maria", cards.ActionCancel, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"Reason": "Wrong photos"})
		for _, want := range []string{"15 min deadline passed", "too late", "Tell the editor", "Wrong photos", "Message the Editor"} {
			require.Contains(r.T, r.Shows(window), want)
		}
		require.Equal(r.T, "Wrong photos", r.MessageWords(r.Shows(window)))
		require.Empty(r.T, r.Screen.View(window).CallbackID, "nothing to submit again")
		require.Nil(r.T, intent(r))
		require.Empty(r.T, r.Events(order.EventCanceled))
	})
}

func TestARefusedCancellationCanBeTriedAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Placed()
		r.Service.NextCancel = []commandstest.ServiceAnswer{commandstest.Refused("the account is locked")}
		window := r.Opens("maria", cards.ActionCancel, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"Reason": "Wrong photos"})
		require.Contains(r.T, r.Shows(window), "the account is locked")
		r.Sends("maria", window, nil)
		require.Equal(r.T, []string{"Wrong photos"}, r.Events(order.EventCanceled)[0].Words)
	})
}

func TestTheServiceJudgesWhetherAnOrderIsCanceled(t *testing.T) {
	one := 1
	for name, change := range map[string]func(o *order.Order){
		"paused":        func(o *order.Order) { o.Status = order.StatusPaused },
		"in review":     func(o *order.Order) { o.Status = order.StatusReviewing },
		"being revised": func(o *order.Order) { o.Status, o.Revision = order.StatusRevising, &one },
		"unheard of":    func(o *order.Order) { o.Status = "proofing" },
	} {
		for _, answer := range []commandstest.ServiceAnswer{nil, commandstest.Refused("This order cannot be taken back.")} {
			t.Run(name, func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					id := r.Placed()
					window := r.Opens("maria", cards.ActionCancel, cards.Value(id, 0))
					r.Service.Edit(id, change)
					if answer != nil {
						r.Service.NextCancel = []commandstest.ServiceAnswer{answer}
					}
					r.Sends("maria", window, map[string]string{"Reason": "Wrong photos"})
					require.Equal(r.T, 1, r.Cancels(), "it was asked")
					if answer == nil {
						require.Contains(r.T, r.Shows(window), ":white_check_mark: Canceled")
						require.Equal(r.T, "maria", r.Events(order.EventCanceled)[0].Actor)
						return
					}
					require.Contains(r.T, r.Shows(window), "This order cannot be taken back.")
					require.Contains(r.T, r.Shows(window), "Wrong photos")
					require.Empty(r.T, r.Events(order.EventCanceled))

					again := r.Opens("maria", cards.ActionCancel, cards.Value(id, 0))
					require.Contains(r.T, r.Shows(again), "It may still do so until", "and may be asked again")
				})
			})
		}
	}
}

func TestACancellationThatNobodyKnowsOfIsAlsoADirectMessage(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Placed()
		for range jobs.MaxSends {
			r.Service.NextCancel = append(r.Service.NextCancel, commandstest.Never)
		}
		window := r.Opens("maria", cards.ActionCancel, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"Reason": "Wrong photos"})
		r.Settle(5 * time.Minute)
		require.Contains(r.T, r.Shows(window), "I do not know yet")
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.DMs[0], "Wrong photos")
	})
}

func TestAClosedCancellationIsAnsweredToThePerson(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Placed()
		r.Service.NextCancel = []commandstest.ServiceAnswer{commandstest.Refused("15 min deadline passed")}
		window := r.Opens("maria", cards.ActionCancel, cards.Value(id, 0))
		view := r.FilledIn(window, map[string]string{"Reason": "Wrong photos"})
		r.Screen.Closes()
		r.SendsAs("V1:cancel", "maria", view)
		require.Contains(r.T, r.Screen.LastMessage(), "15 min deadline passed")
		require.Contains(r.T, r.Screen.LastMessage(), "Wrong photos")
	})
}

func TestALongReasonIsNotCut(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Placed()
		r.Types("cancel " + id + " " + strings.TrimSpace(strings.Repeat("wrong photos ", 280)) + " end")
		r.Sends("maria", r.Screen.Last(), nil)
		require.Contains(r.T, strings.Join(r.Events(order.EventCanceled)[0].Words, " "), "end")
	})
}
