package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/order"
)

// The service shows a conversation only in its answer to a message. That conversation is kept if somebody else records
// the order at that very moment.
func TestTheEditorsWordsInAnAnswerOutliveARace(t *testing.T) {
	for name, reach := range map[string]func(r *commandstest.Rig){
		"of a message": func(r *commandstest.Rig) { r.Types("message order1 Soft shadows, please.") },
		"of a relay": func(r *commandstest.Rig) {
			r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Soft shadows, please."}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InThread()
				r.Types("message order1 The first one records the old conversation silently.")
				r.Service.Set(func(f *commandstest.Service) { f.NoConversation = true })
				r.Service.NextMessage = append(r.Service.NextMessage, func(do func() order.Order) (order.Order, error) {
					o := do()
					o.Conversation = append([]order.Entry{{From: "editor", Content: "The horizon is straight now.", CreatedAt: time.Now()}}, o.Conversation...)
					somebodyRecords(r, order.Order{ID: "order1", Status: order.StatusPaused})
					return o, nil
				})
				reach(r)
				r.Settle(time.Minute)
				require.Len(r.T, r.Events(order.EventPaused), 1, "there was a race")
				require.Len(r.T, r.Events(order.EventMessage), 2)
				require.Len(r.T, r.Events(order.EventEditor), 1)
				require.Contains(r.T, r.Events(order.EventEditor)[0].Words, "The horizon is straight now.")
			})
		})
	}
}

// somebodyRecords records the order, as the poller or another replica does.
func somebodyRecords(r *commandstest.Rig, seen order.Order) {
	r.T.Helper()
	t, err := r.Store.Orders.Order(r.T.Context(), seen.ID)
	require.NoError(r.T, err)
	_, _, err = r.Store.Changes.Record(r.T.Context(), seen.ID, t.Version, seen)
	require.NoError(r.T, err)
}

func TestWhatMayHaveArrivedIsSaidToBeInDoubt(t *testing.T) {
	const doubt = "An earlier try was not answered, so the editor may have it already."
	for name, test := range map[string]struct {
		answers []commandstest.ServiceAnswer
		doubt   bool
	}{
		"refused after a try without an answer":    {[]commandstest.ServiceAnswer{commandstest.Never, commandstest.Refused("the order is archived")}, true},
		"refused after a try that never left":      {[]commandstest.ServiceAnswer{commandstest.Unsent, commandstest.Refused("the order is archived")}, false},
		"refused at once":                          {[]commandstest.ServiceAnswer{commandstest.Refused("the order is archived")}, false},
		"never answered, however often it is sent": {nevers(jobs.MaxTries + 5), true},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InReview()
				r.Service.NextMessage = test.answers
				r.Types("message order1 Soft shadows, please.")
				r.Settle(time.Hour)
				require.Contains(r.T, r.Screen.LastMessage(), "Soft shadows, please.", "the words are kept")
				if test.doubt {
					require.Contains(r.T, r.Screen.LastMessage(), doubt)
				} else {
					require.NotContains(r.T, r.Screen.LastMessage(), doubt)
				}
				require.LessOrEqual(r.T, r.Service.Called("message"), jobs.MaxTries)
			})
		})
	}
}

func nevers(n int) []commandstest.ServiceAnswer {
	all := make([]commandstest.ServiceAnswer, n)
	for i := range all {
		all[i] = commandstest.Never
	}
	return all
}

// An outage uses up no try, and the message is not sent again during it.
func TestNothingIsSentAgainToAServiceThatDoesNotAnswerALook(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Service.NextMessage = nevers(200)
		r.Service.Set(func(f *commandstest.Service) { f.Mute = true })
		r.Types("message order1 Soft shadows, please.")
		r.Settle(6 * time.Hour)
		require.Equal(r.T, 1, r.Service.Called("message"))
		r.Service.Set(func(f *commandstest.Service) { f.Mute, f.NextMessage = false, nil })
		r.Settle(10 * time.Minute)
		require.Equal(r.T, []string{"Soft shadows, please."}, r.Conversation())
		require.Contains(r.T, r.Screen.LastMessage(), "Sent to the editor of")
	})
}
