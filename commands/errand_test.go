package commands

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store/queue"
)

// The service tells of a conversation only in its answer to a message. When somebody else
// records the order at that very moment, what the answer told is not forgotten.
func TestTheEditorsWordsInAnAnswerOutliveARace(t *testing.T) {
	for name, reach := range map[string]func(r *rig){
		"of a message": func(r *rig) { r.types("message order1 Soft shadows, please.") },
		"of a relay": func(r *rig) {
			r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Soft shadows, please."}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inThread()
				r.types("message order1 The first one records the old conversation silently.")
				r.service.set(func(f *forgetful) { f.curt = true })
				r.service.nextMessage = append(r.service.nextMessage, func(do func() order.Order) (order.Order, error) {
					o := do()
					o.Conversation = append([]order.Entry{{From: "editor", Content: "The horizon is straight now.", CreatedAt: time.Now()}}, o.Conversation...)
					r.somebodyRecords(order.Order{ID: "order1", Status: order.StatusPaused})
					return o, nil
				})
				reach(r)
				r.settle(time.Minute)
				require.Len(r.t, r.eventsOf(order.EventPaused), 1, "there was a race")
				require.Len(r.t, r.eventsOf(order.EventMessage), 2)
				require.Len(r.t, r.eventsOf(order.EventEditor), 1)
				require.Contains(r.t, r.eventsOf(order.EventEditor)[0].Words, "The horizon is straight now.")
			})
		})
	}
}

// somebodyRecords is the poller, or another replica.
func (r *rig) somebodyRecords(seen order.Order) {
	r.t.Helper()
	t, err := r.store.Order(r.t.Context(), seen.ID)
	require.NoError(r.t, err)
	_, _, err = r.store.Record(r.t.Context(), seen.ID, t.Version, seen)
	require.NoError(r.t, err)
}

func TestWhatMayHaveArrivedIsSaidToBeInDoubt(t *testing.T) {
	const doubt = "An earlier try was not answered, so the editor may have it already."
	for name, test := range map[string]struct {
		answers []serviceAnswer
		doubt   bool
	}{
		"refused after a try without an answer":    {[]serviceAnswer{never, refused("the order is archived")}, true},
		"refused after a try that never left":      {[]serviceAnswer{unsent, refused("the order is archived")}, false},
		"refused at once":                          {[]serviceAnswer{refused("the order is archived")}, false},
		"never answered, however often it is sent": {nevers(jobs.MostTries + 5), true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inReview()
				r.service.nextMessage = test.answers
				r.types("message order1 Soft shadows, please.")
				r.settle(time.Hour)
				require.Contains(r.t, r.screen.lastTold(), "Soft shadows, please.", "the words are kept")
				if test.doubt {
					require.Contains(r.t, r.screen.lastTold(), doubt)
				} else {
					require.NotContains(r.t, r.screen.lastTold(), doubt)
				}
				require.LessOrEqual(r.t, r.service.called("message"), jobs.MostTries)
			})
		})
	}
}

func nevers(n int) []serviceAnswer {
	all := make([]serviceAnswer, n)
	for i := range all {
		all[i] = never
	}
	return all
}

// A service that answers nothing at all is away: looking for it costs no try, and nothing is
// sent into the dark again and again.
func TestNothingIsSentAgainToAServiceThatDoesNotAnswerALook(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.service.nextMessage = nevers(200)
		r.service.set(func(f *forgetful) { f.mute = true })
		r.types("message order1 Soft shadows, please.")
		r.settle(6 * time.Hour)
		require.Equal(r.t, 1, r.service.called("message"))
		r.service.set(func(f *forgetful) { f.mute, f.nextMessage = false, nil })
		r.settle(10 * time.Minute)
		require.Equal(r.t, []string{"Soft shadows, please."}, r.conversation())
		require.Contains(r.t, r.screen.lastTold(), "Sent to the editor of")
	})
}

func TestAClickOlderThanHalfAnHourIsNotDone(t *testing.T) {
	for name, test := range map[string]struct {
		age  time.Duration
		done bool
	}{
		"still in time": {29 * time.Minute, true},
		"too late":      {31 * time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inReview()
				body, err := json.Marshal(bot.Request{
					Kind: bot.KindCommand, ID: "old", Name: Slash, Team: "T1", User: "maria", Channel: "C1",
					Verb: "message", Args: "order1 Soft shadows, please.", Text: "message order1 Soft shadows, please.",
				})
				require.NoError(r.t, err)
				d := &queue.Delivery{Job: queue.Job{ID: "click:old", Lane: "click:old", Kind: clickJob, Body: body}, PutAt: time.Now().Add(-test.age)}
				err = r.jobs.Work(r.t.Context(), d)
				r.settle(time.Minute)
				if test.done {
					require.NoError(r.t, err)
					require.Equal(r.t, []string{"Soft shadows, please."}, r.conversation())
					return
				}
				require.ErrorContains(r.t, err, "older than")
				require.Empty(r.t, r.conversation(), "nobody waits for it any more")
				r.jobs.Died(r.t.Context(), queue.DeadLetter{Job: d.Job})
				require.Contains(r.t, r.screen.dms[0], jobs.NothingSent)
				require.Contains(r.t, r.screen.dms[0], "/order message order1 Soft shadows, please.", "and its line is given back")
			})
		})
	}
}

// A number is a word like any other, unless it is as long as an order's.
func TestAShortNumberBeginsAMessage(t *testing.T) {
	for line, sent := range map[string]string{
		"message 3 more like this":       "3 more like this",
		"message 2nd photo: softer":      "2nd photo: softer",
		"message 50% less yellow":        "50% less yellow",
		"message 100 percent sure":       "100 percent sure",
		"message 4711 has a soft shadow": "", // as long as a name: mistyped, perhaps
		"message ab12 has a soft shadow": "",
	} {
		t.Run(line, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inReview()
				r.types(line)
				if sent == "" {
					require.Empty(r.t, r.conversation())
					require.Contains(r.t, r.screen.lastTold(), "There is no order")
					return
				}
				require.Equal(r.t, []string{sent}, r.conversation())
			})
		})
	}
}
