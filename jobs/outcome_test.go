package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store/queue"
)

// verbOfDoubt is a verb whose call may have an unknown outcome.
type verbOfDoubt struct {
	op, job string
	act     func(r *commandstest.Rig)     // somebody does it
	had     func(r *commandstest.Rig) int // how often the service has it
	event   order.EventKind
	answers func(f *commandstest.Service) *[]commandstest.ServiceAnswer
	done    string // what the person reads when it worked
	words   string // what they typed: it never vanishes
	repeat  bool   // sending again is how one finds out: the service refuses what it has
}

var verbsOfDoubt = []verbOfDoubt{
	{
		op: "create", job: job.Place,
		act:     func(r *commandstest.Rig) { r.Types("new"); r.Submits() },
		had:     func(r *commandstest.Rig) int { return len(r.Service.Orders) },
		event:   order.EventPlaced,
		answers: func(f *commandstest.Service) *[]commandstest.ServiceAnswer { return &f.NextCreate },
		done:    "Order placed", words: "Smith wedding",
	},
	{
		op: "approve", job: job.Approve,
		act: func(r *commandstest.Rig) {
			submit(r, r.Submission("approve "+r.Delivers(1), map[string]string{"Feedback": "Lovely"}))
		},
		had:     func(r *commandstest.Rig) int { return stands(r, order.StatusClosed) },
		event:   order.EventApproved,
		answers: func(f *commandstest.Service) *[]commandstest.ServiceAnswer { return &f.NextApprove },
		done:    "Approved", words: "Lovely",
	},
	{
		op: "revise", job: job.Revise,
		act: func(r *commandstest.Rig) {
			submit(r, r.Submission("revise "+r.Delivers(1), map[string]string{"1 · 1.jpg": "Brighter"}))
		},
		had:     func(r *commandstest.Rig) int { return len(r.Asked()) },
		event:   order.EventChanges,
		answers: func(f *commandstest.Service) *[]commandstest.ServiceAnswer { return &f.NextRevise },
		done:    "Changes requested", words: "Brighter",
	},
	{
		op: "cancel", job: job.Cancel,
		act: func(r *commandstest.Rig) {
			submit(r, r.Submission("cancel "+r.Placed(), map[string]string{"Reason": "Wrong photos"}))
		},
		had:     func(r *commandstest.Rig) int { return stands(r, order.StatusCanceled) },
		event:   order.EventCanceled,
		answers: func(f *commandstest.Service) *[]commandstest.ServiceAnswer { return &f.NextCancel },
		done:    "Canceled", words: "Wrong photos",
	},
	{
		op: "message", job: job.Message,
		act: func(r *commandstest.Rig) {
			submit(r, r.Submission("message "+r.InReview(), map[string]string{"Message": "Softer"}))
		},
		had:     func(r *commandstest.Rig) int { return len(r.Conversation()) },
		event:   order.EventMessage,
		answers: func(f *commandstest.Service) *[]commandstest.ServiceAnswer { return &f.NextMessage },
		done:    "Sent to the editor", words: "Softer", repeat: true,
	},
	{
		op: "message", job: job.Relay,
		act: func(r *commandstest.Rig) {
			r.InThread()
			r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		},
		had:     func(r *commandstest.Rig) int { return len(r.Conversation()) },
		event:   order.EventMessage,
		answers: func(f *commandstest.Service) *[]commandstest.ServiceAnswer { return &f.NextMessage },
		done:    "200.1 white_check_mark", words: "Softer", repeat: true,
	},
	{
		op: "reference", job: job.Reference,
		act: func(r *commandstest.Rig) {
			submit(r, r.Submission("reference "+r.InReview(), map[string]string{"Photo links": "https://e.com/a.jpg"}))
		},
		had:     func(r *commandstest.Rig) int { return len(r.Service.References) },
		event:   order.EventReferences,
		answers: func(f *commandstest.Service) *[]commandstest.ServiceAnswer { return &f.NextReference },
		done:    "1 reference photo", words: "https://e.com/a.jpg", repeat: true,
	},
}

// submit sends a filled window off.
func submit(r *commandstest.Rig, q bot.Request) {
	r.T.Helper()
	_, err := r.Handle(r.T.Context(), q)
	require.NoError(r.T, err)
	r.Settle(time.Second)
}

// stands is 1 if the service's first order is in that state.
func stands(r *commandstest.Rig, status order.Status) int {
	n := 0
	r.Service.Edit("order1", func(o *order.Order) {
		if o.Status == status {
			n = 1
		}
	})
	return n
}

// sight returns all that people were shown, and the reactions on messages.
func sight(r *commandstest.Rig) string {
	r.Screen.Lock()
	defer r.Screen.Unlock()
	all := append([]string{}, r.Screen.Marks...)
	all = append(append(all, r.Screen.Ephemerals...), r.Screen.DMs...)
	for _, shown := range r.Screen.Shown {
		all = append(all, shown)
	}
	return commandstest.Readable(strings.Join(all, "\n"))
}

// forgets makes Redis forget all writes since the job was put, like a restarted Redis that lost the end of its file.
func forgets(r *commandstest.Rig, kind string) {
	ctx := r.T.Context()
	for id := range r.JobsOf(kind) {
		key := "{darkroom}:q:job:" + id
		require.NoError(r.T, r.Redis.HDel(ctx, key, "state").Err())
		require.NoError(r.T, r.Redis.HSet(ctx, key, "run", "the one before", "deliveries", 0).Err())
	}
	require.NoError(r.T, r.Redis.HDel(ctx, "{darkroom}:order:order1", "intent").Err())
	if kind == job.Place {
		d := r.Draft()
		d.Reference, d.ReferenceAt = "", time.Time{}
		require.NoError(r.T, r.Store.Drafts.SaveDraft(ctx, d))
	}
}

// Each verb meets each kind of unknown outcome (DESIGN §3). Nothing is sent twice, nothing is lost, and the person
// learns the outcome.
func TestEveryVerbAndEveryUnknownOutcome(t *testing.T) {
	t.Parallel()
	type end struct {
		calls int  // of the service
		had   int  // times that it has it, in the end
		mine  bool // an event says who did it
		says  string
	}
	faults := map[string]struct {
		answer func(r *commandstest.Rig, v verbOfDoubt) commandstest.ServiceAnswer
		want   func(v verbOfDoubt) end
	}{
		"lost before it was done": {
			func(*commandstest.Rig, verbOfDoubt) commandstest.ServiceAnswer { return commandstest.Never },
			func(v verbOfDoubt) end {
				if v.op == "create" { // never sent again blindly
					return end{calls: 1, says: "Try Again"}
				}
				return end{calls: 2, had: 1, mine: true, says: v.done}
			},
		},
		"lost after it was done": {
			func(*commandstest.Rig, verbOfDoubt) commandstest.ServiceAnswer { return commandstest.Lost },
			func(v verbOfDoubt) end { return end{calls: v.calls(1), had: 1, mine: true, says: v.done} },
		},
		"late": {
			func(r *commandstest.Rig, _ verbOfDoubt) commandstest.ServiceAnswer {
				return func(do func() order.Order) (order.Order, error) {
					go func() {
						<-time.After(700 * time.Millisecond)
						r.Service.Set(func(*commandstest.Service) { do() })
					}()
					return order.Order{}, commandstest.ErrUnknown
				}
			},
			func(v verbOfDoubt) end { return end{calls: v.calls(1), had: 1, mine: true, says: v.done} },
		},
		"killed before it was done": {
			func(*commandstest.Rig, verbOfDoubt) commandstest.ServiceAnswer {
				return func(func() order.Order) (order.Order, error) { panic("killed") }
			},
			func(v verbOfDoubt) end {
				if v.op == "create" {
					return end{calls: 1, says: "Try Again"}
				}
				return end{calls: 2, had: 1, mine: true, says: v.done}
			},
		},
		"killed after it was done": {
			func(*commandstest.Rig, verbOfDoubt) commandstest.ServiceAnswer { return killed },
			func(v verbOfDoubt) end { return end{calls: v.calls(1), had: 1, mine: true, says: v.done} },
		},
		"forgotten before it was done": {
			func(r *commandstest.Rig, v verbOfDoubt) commandstest.ServiceAnswer {
				return func(func() order.Order) (order.Order, error) { forgets(r, v.job); panic("killed") }
			},
			func(v verbOfDoubt) end { return end{calls: 2, had: 1, mine: true, says: v.done} },
		},
		"forgotten after it was done": {
			func(r *commandstest.Rig, v verbOfDoubt) commandstest.ServiceAnswer {
				return func(do func() order.Order) (order.Order, error) { forgets(r, v.job); return killed(do) }
			},
			func(v verbOfDoubt) end {
				if v.op == "create" || v.repeat {
					return end{calls: v.calls(1), had: 1, mine: true, says: v.done}
				}
				// Nobody remembers who asked for it: it stands, and the words are given back.
				return end{calls: 1, had: 1, says: v.words}
			},
		},
	}
	for _, v := range verbsOfDoubt {
		for name, fault := range faults {
			t.Run(fmt.Sprintf("%s/%s", v.job, name), func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					*v.answers(r.Service) = []commandstest.ServiceAnswer{fault.answer(r, v)}
					v.act(r)
					r.Settle(6 * time.Minute)
					want := fault.want(v)
					require.Equal(r.T, want.calls, r.Service.Called(v.op), "calls")
					require.Equal(r.T, want.had, v.had(r), "times that the service has it")
					require.Contains(r.T, sight(r), want.says)
					if want.had == 0 { // it is theirs to decide
						r.Presses(place.ActionRetry, r.Draft().ID)
						r.Settle(time.Minute)
						require.Equal(r.T, want.calls+1, r.Service.Called(v.op))
						require.Equal(r.T, 1, v.had(r))
						require.Contains(r.T, sight(r), v.done)
					}
					require.Len(r.T, r.Events(v.event), 1)
					if want.mine || want.had == 0 {
						require.Equal(r.T, "maria", r.Events(v.event)[0].Actor)
					}
					require.Nil(r.T, intent(r))
					require.NotContains(r.T, sight(r), "stopped trying")
					require.Equal(r.T, queue.Stats{Delayed: later(r)}, r.Stats(), "no job is left, none has died")
				})
			})
		}
	}
}

// calls returns the number of calls if the first was enough.
func (v verbOfDoubt) calls(enough int) int {
	if v.repeat {
		return enough + 1
	}
	return enough
}
