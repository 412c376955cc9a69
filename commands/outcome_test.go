package commands

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store/queue"
)

// verbOfDoubt is a verb whose call of the service may end unknown.
type verbOfDoubt struct {
	op, job string
	act     func(r *rig)     // somebody does it
	had     func(r *rig) int // how often the service has it
	event   order.EventKind
	answers func(f *forgetful) *[]serviceAnswer
	done    string // what the person reads when it worked
	words   string // what they typed: it never vanishes
	repeat  bool   // sending again is how one finds out: the service refuses what it has
}

var verbsOfDoubt = []verbOfDoubt{
	{
		op: "create", job: jobs.PlaceJob,
		act:     func(r *rig) { r.types("new"); r.submits() },
		had:     func(r *rig) int { return len(r.service.orders) },
		event:   order.EventPlaced,
		answers: func(f *forgetful) *[]serviceAnswer { return &f.nextCreate },
		done:    "Order placed", words: "Smith wedding",
	},
	{
		op: "approve", job: jobs.ApproveJob,
		act: func(r *rig) {
			r.submit(r.submission("approve "+r.delivers(1), map[string]string{"Feedback": "Lovely"}))
		},
		had:     func(r *rig) int { return r.stands(order.StatusClosed) },
		event:   order.EventApproved,
		answers: func(f *forgetful) *[]serviceAnswer { return &f.nextApprove },
		done:    "Approved", words: "Lovely",
	},
	{
		op: "revise", job: jobs.ReviseJob,
		act: func(r *rig) {
			r.submit(r.submission("revise "+r.delivers(1), map[string]string{"1 · 1.jpg": "Brighter"}))
		},
		had:     func(r *rig) int { return len(r.asked()) },
		event:   order.EventChanges,
		answers: func(f *forgetful) *[]serviceAnswer { return &f.nextRevise },
		done:    "Changes requested", words: "Brighter",
	},
	{
		op: "cancel", job: jobs.CancelJob,
		act: func(r *rig) {
			r.submit(r.submission("cancel "+r.placed(), map[string]string{"Reason": "Wrong photos"}))
		},
		had:     func(r *rig) int { return r.stands(order.StatusCanceled) },
		event:   order.EventCanceled,
		answers: func(f *forgetful) *[]serviceAnswer { return &f.nextCancel },
		done:    "Canceled", words: "Wrong photos",
	},
	{
		op: "message", job: jobs.MessageJob,
		act: func(r *rig) {
			r.submit(r.submission("message "+r.inReview(), map[string]string{"Message": "Softer"}))
		},
		had:     func(r *rig) int { return len(r.conversation()) },
		event:   order.EventMessage,
		answers: func(f *forgetful) *[]serviceAnswer { return &f.nextMessage },
		done:    "Sent to the editor", words: "Softer", repeat: true,
	},
	{
		op: "message", job: jobs.RelayJob,
		act: func(r *rig) {
			r.inThread()
			r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		},
		had:     func(r *rig) int { return len(r.conversation()) },
		event:   order.EventMessage,
		answers: func(f *forgetful) *[]serviceAnswer { return &f.nextMessage },
		done:    "200.1 white_check_mark", words: "Softer", repeat: true,
	},
	{
		op: "reference", job: jobs.ReferenceJob,
		act: func(r *rig) {
			r.submit(r.submission("reference "+r.inReview(), map[string]string{"Image URLs": "https://e.com/a.jpg"}))
		},
		had:     func(r *rig) int { return len(r.service.references) },
		event:   order.EventReferences,
		answers: func(f *forgetful) *[]serviceAnswer { return &f.nextReference },
		done:    "1 reference image", words: "https://e.com/a.jpg", repeat: true,
	},
}

// submit sends a filled window off.
func (r *rig) submit(q bot.Request) {
	r.t.Helper()
	_, err := r.handle(r.t.Context(), q)
	require.NoError(r.t, err)
	r.settle(time.Second)
}

// stands is 1 when the service's first order is in that state.
func (r *rig) stands(status order.Status) int {
	n := 0
	r.service.edit("order1", func(o *order.Order) {
		if o.Status == status {
			n = 1
		}
	})
	return n
}

// sight is everything that any person was shown, and the marks on messages.
func (r *rig) sight() string {
	r.screen.Lock()
	defer r.screen.Unlock()
	all := append([]string{}, r.screen.marks...)
	all = append(append(all, r.screen.told...), r.screen.dms...)
	for _, shown := range r.screen.shown {
		all = append(all, shown)
	}
	return readable(strings.Join(all, "\n"))
}

// forgets makes Redis forget what was written since the job was put, as one does that lost
// the end of its file and was started again.
func (r *rig) forgets(kind string) {
	ctx := r.t.Context()
	for id := range r.jobsOf(kind) {
		key := "{darkroom}:q:job:" + id
		require.NoError(r.t, r.rdb.HDel(ctx, key, "state").Err())
		require.NoError(r.t, r.rdb.HSet(ctx, key, "run", "the one before", "deliveries", 0).Err())
	}
	require.NoError(r.t, r.rdb.HDel(ctx, "{darkroom}:order:order1", "intent").Err())
	if kind == jobs.PlaceJob {
		d := r.draft()
		d.Reference, d.ReferenceAt = "", time.Time{}
		require.NoError(r.t, r.store.SaveDraft(ctx, d))
	}
}

// What the rule for an unknown outcome (DESIGN §3) makes of each verb and each way in which
// an outcome can be unknown: nothing twice, nothing lost, and the person hears how it ended.
func TestEveryVerbAndEveryUnknownOutcome(t *testing.T) {
	t.Parallel()
	type end struct {
		calls int  // of the service
		had   int  // times that it has it, in the end
		mine  bool // an event says who did it
		says  string
	}
	faults := map[string]struct {
		answer func(r *rig, v verbOfDoubt) serviceAnswer
		want   func(v verbOfDoubt) end
	}{
		"lost before it was done": {
			func(*rig, verbOfDoubt) serviceAnswer { return never },
			func(v verbOfDoubt) end {
				if v.op == "create" { // never sent again blindly
					return end{calls: 1, says: "Try again"}
				}
				return end{calls: 2, had: 1, mine: true, says: v.done}
			},
		},
		"lost after it was done": {
			func(*rig, verbOfDoubt) serviceAnswer { return lost },
			func(v verbOfDoubt) end { return end{calls: v.calls(1), had: 1, mine: true, says: v.done} },
		},
		"late": {
			func(r *rig, _ verbOfDoubt) serviceAnswer {
				return func(do func() order.Order) (order.Order, error) {
					go func() {
						<-time.After(700 * time.Millisecond)
						r.service.set(func(*forgetful) { do() })
					}()
					return order.Order{}, errUnknown
				}
			},
			func(v verbOfDoubt) end { return end{calls: v.calls(1), had: 1, mine: true, says: v.done} },
		},
		"killed before it was done": {
			func(*rig, verbOfDoubt) serviceAnswer {
				return func(func() order.Order) (order.Order, error) { panic("killed") }
			},
			func(v verbOfDoubt) end {
				if v.op == "create" {
					return end{calls: 1, says: "Try again"}
				}
				return end{calls: 2, had: 1, mine: true, says: v.done}
			},
		},
		"killed after it was done": {
			func(*rig, verbOfDoubt) serviceAnswer { return killed },
			func(v verbOfDoubt) end { return end{calls: v.calls(1), had: 1, mine: true, says: v.done} },
		},
		"forgotten before it was done": {
			func(r *rig, v verbOfDoubt) serviceAnswer {
				return func(func() order.Order) (order.Order, error) { r.forgets(v.job); panic("killed") }
			},
			func(v verbOfDoubt) end { return end{calls: 2, had: 1, mine: true, says: v.done} },
		},
		"forgotten after it was done": {
			func(r *rig, v verbOfDoubt) serviceAnswer {
				return func(do func() order.Order) (order.Order, error) { r.forgets(v.job); return killed(do) }
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
				bubble(t, func(r *rig) {
					*v.answers(r.service) = []serviceAnswer{fault.answer(r, v)}
					v.act(r)
					r.settle(6 * time.Minute)
					want := fault.want(v)
					require.Equal(r.t, want.calls, r.service.called(v.op), "calls")
					require.Equal(r.t, want.had, v.had(r), "times that the service has it")
					require.Contains(r.t, r.sight(), want.says)
					if want.had == 0 { // it is theirs to decide
						r.presses(cards.ActionRetry, r.draft().ID)
						r.settle(time.Minute)
						require.Equal(r.t, want.calls+1, r.service.called(v.op))
						require.Equal(r.t, 1, v.had(r))
						require.Contains(r.t, r.sight(), v.done)
					}
					require.Len(r.t, r.events(v.event), 1)
					if want.mine || want.had == 0 {
						require.Equal(r.t, "maria", r.events(v.event)[0].Actor)
					}
					require.Nil(r.t, r.intent())
					require.NotContains(r.t, r.sight(), "stopped trying")
					require.Equal(r.t, queue.Stats{Later: r.later()}, r.stats(), "no job is left, none has died")
				})
			})
		}
	}
}

// calls is how many calls it takes when the first was enough.
func (v verbOfDoubt) calls(enough int) int {
	if v.repeat {
		return enough + 1
	}
	return enough
}
