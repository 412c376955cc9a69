package commands

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
)

// placed is a new order of #shoots.
func (r *rig) placed() string {
	r.t.Helper()
	r.types("new")
	r.submits()
	return "order1"
}

func (r *rig) cancels() int {
	r.service.Lock()
	defer r.service.Unlock()
	return r.service.cancels
}

func TestACancellationIsRecordedWithItsReason(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.placed()
		r.types("cancel " + id + " the wrong photos")
		window := r.screen.last()
		for _, want := range []string{"promises to take it back until", "The service decides", "the wrong photos", "Whether credits come back is up to the service"} {
			require.Contains(r.t, r.shows(window), want)
		}
		r.sends("maria", window, nil)
		require.Contains(r.t, r.shows(window), "Canceled")
		require.Len(r.t, r.events(order.EventCanceled), 1)
		require.Equal(r.t, "maria", r.events(order.EventCanceled)[0].Actor)
		require.Equal(r.t, []string{"the wrong photos"}, r.events(order.EventCanceled)[0].Words)
	})
}

func TestACancellationOfUnknownOutcome(t *testing.T) {
	for name, test := range map[string]struct {
		answers []serviceAnswer
		sends   int
	}{
		"that was carried out is not sent again": {[]serviceAnswer{lost}, 1},
		"that was not is sent again":             {[]serviceAnswer{never}, 2},
		"that arrives and is refused as late":    {[]serviceAnswer{never, overtakenLate}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				id := r.placed()
				r.service.nextCancel = test.answers
				window := r.opens("maria", cards.ActionCancel, cards.Value(id, 0))
				r.sends("maria", window, map[string]string{"Reason": "Wrong photos"})
				r.settle(2 * time.Minute)
				require.Equal(r.t, test.sends, r.cancels())
				require.Len(r.t, r.events(order.EventCanceled), 1)
				require.Equal(r.t, "maria", r.events(order.EventCanceled)[0].Actor)
				require.Contains(r.t, r.shows(window), "Canceled")
			})
		})
	}
}

// overtakenLate is the answer to a second send when the first has just arrived.
func overtakenLate(do func() order.Order) (order.Order, error) {
	do()
	return refused("15 min deadline passed")(do)
}

func TestTooLateIsToldInTheServicesWords(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.placed()
		r.service.nextCancel = []serviceAnswer{refused("15 min deadline passed")}
		window := r.opens("maria", cards.ActionCancel, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"Reason": "Wrong photos"})
		for _, want := range []string{"15 min deadline passed", "too late", "tell the editor", "Wrong photos", "Message editor"} {
			require.Contains(r.t, r.shows(window), want)
		}
		require.Equal(r.t, "Wrong photos", r.messageWords(r.shows(window)))
		require.Empty(r.t, r.screen.view(window).CallbackID, "nothing to submit again")
		require.Nil(r.t, r.intent())
		require.Empty(r.t, r.events(order.EventCanceled))
	})
}

func TestARefusedCancellationCanBeTriedAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.placed()
		r.service.nextCancel = []serviceAnswer{refused("the account is locked")}
		window := r.opens("maria", cards.ActionCancel, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"Reason": "Wrong photos"})
		require.Contains(r.t, r.shows(window), "the account is locked")
		r.sends("maria", window, nil)
		require.Equal(r.t, []string{"Wrong photos"}, r.events(order.EventCanceled)[0].Words)
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
		for _, answer := range []serviceAnswer{nil, refused("This order cannot be taken back.")} {
			t.Run(name, func(t *testing.T) {
				bubble(t, func(r *rig) {
					id := r.placed()
					window := r.opens("maria", cards.ActionCancel, cards.Value(id, 0))
					r.service.edit(id, change)
					if answer != nil {
						r.service.nextCancel = []serviceAnswer{answer}
					}
					r.sends("maria", window, map[string]string{"Reason": "Wrong photos"})
					require.Equal(r.t, 1, r.cancels(), "it was asked")
					if answer == nil {
						require.Contains(r.t, r.shows(window), ":white_check_mark: Canceled")
						require.Equal(r.t, "maria", r.events(order.EventCanceled)[0].Actor)
						return
					}
					require.Contains(r.t, r.shows(window), "This order cannot be taken back.")
					require.Contains(r.t, r.shows(window), "Wrong photos")
					require.Empty(r.t, r.events(order.EventCanceled))

					again := r.opens("maria", cards.ActionCancel, cards.Value(id, 0))
					require.Contains(r.t, r.shows(again), "The service decides", "and may be asked again")
				})
			})
		}
	}
}

func TestWhatHasEndedIsNotCanceled(t *testing.T) {
	for _, end := range []order.Status{order.StatusClosed, order.StatusCanceled} {
		t.Run(string(end), func(t *testing.T) {
			bubble(t, func(r *rig) {
				id := r.placed()
				window := r.opens("maria", cards.ActionCancel, cards.Value(id, 0))
				r.service.edit(id, inStatus(end))
				r.sends("maria", window, map[string]string{"Reason": "Wrong photos"})
				require.Contains(r.t, r.shows(window), ":warning:")
				require.Contains(r.t, r.shows(window), "Wrong photos")
				require.Zero(r.t, r.cancels())

				r.click(bot.Request{Kind: bot.KindAction, Name: cards.ActionCancel, Value: cards.Value(id, 0)})
				require.Empty(r.t, r.screen.view(r.screen.last()).CallbackID, "nothing can be submitted")
			})
		})
	}
}

func TestACancellationThatNobodyKnowsOfIsAlsoADirectMessage(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.placed()
		for range jobs.MostSends {
			r.service.nextCancel = append(r.service.nextCancel, never)
		}
		window := r.opens("maria", cards.ActionCancel, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"Reason": "Wrong photos"})
		r.settle(5 * time.Minute)
		require.Contains(r.t, r.shows(window), "cannot tell")
		require.Len(r.t, r.screen.dms, 1)
		require.Contains(r.t, r.screen.dms[0], "Wrong photos")
	})
}

func TestAClosedCancellationIsAnsweredToThePerson(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.placed()
		r.service.nextCancel = []serviceAnswer{refused("15 min deadline passed")}
		window := r.opens("maria", cards.ActionCancel, cards.Value(id, 0))
		view := r.filledIn(window, map[string]string{"Reason": "Wrong photos"})
		r.screen.closes()
		r.sendsAs("V1:cancel", "maria", view)
		require.Contains(r.t, r.screen.lastTold(), "15 min deadline passed")
		require.Contains(r.t, r.screen.lastTold(), "Wrong photos")
	})
}

func TestALongReasonIsNotCut(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.placed()
		r.types("cancel " + id + " " + strings.TrimSpace(strings.Repeat("wrong photos ", 280)) + " end")
		r.sends("maria", r.screen.last(), nil)
		require.Contains(r.t, strings.Join(r.events(order.EventCanceled)[0].Words, " "), "end")
	})
}
