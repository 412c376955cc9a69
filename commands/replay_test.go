package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store/queue"
)

// handler is what Slack's requests are routed to.
type handler func(context.Context, bot.Request) (bot.Reply, error)

// submission is a window of an order as somebody has filled it in.
func (r *rig) submission(line string, words map[string]string) bot.Request {
	r.types(line)
	view := r.filledIn(r.screen.last(), words)
	return bot.Request{Kind: bot.KindSubmit, ID: "V1:hash", Name: view.CallbackID, Team: "T1", User: "maria", View: &view, At: time.Now()}
}

// typedAs is a command line of that identity.
func (r *rig) typedAs(verb, args string) bot.Request {
	return bot.Request{
		Kind: bot.KindCommand, ID: "T1.1", Name: Slash, Verb: verb, Args: args, Text: verb + " " + args,
		TriggerID: "T1.1", Team: "T1", User: "maria", Channel: "C1", At: time.Now(),
	}
}

// worked does a click's work at once, as a worker that may die before it says so.
func (r *rig) worked() handler {
	return func(ctx context.Context, q bot.Request) (bot.Reply, error) { return bot.Ack(), r.works(ctx, q) }
}

// works does a click's work, whoever it came from.
func (r *rig) works(ctx context.Context, q bot.Request) error {
	body, err := json.Marshal(q)
	require.NoError(r.t, err)
	job := queue.Job{ID: clickJob + ":" + q.ID, Lane: "by hand", Kind: clickJob, Body: body}
	return r.doing(clickJob)(ctx, &queue.Delivery{Job: job, PutAt: time.Now()})
}

// Slack delivers again what it is not sure of, and anybody can click twice: whatever the
// first delivery came to, the same thing is one job and goes to the service at most once.
// It is refused here, so that a second job would find everything as the first one did.
func TestWhatSlackDeliversAgainIsOneJob(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		request func(r *rig) (bot.Request, handler)
		job, op string
	}{
		"approve": {func(r *rig) (bot.Request, handler) {
			return r.submission("approve "+r.delivers(1), nil), r.handle
		}, jobs.ApproveJob, "approve"},
		"revise": {func(r *rig) (bot.Request, handler) {
			return r.submission("revise "+r.delivers(1), map[string]string{"1 · 1.jpg": "Brighter"}), r.handle
		}, jobs.ReviseJob, "revise"},
		"cancel": {func(r *rig) (bot.Request, handler) {
			return r.submission("cancel "+r.placed(), nil), r.handle
		}, jobs.CancelJob, "cancel"},
		"message": {func(r *rig) (bot.Request, handler) {
			return r.submission("message "+r.inReview(), map[string]string{"Message": "Softer"}), r.handle
		}, jobs.MessageJob, "message"},
		"a message's line": {func(r *rig) (bot.Request, handler) {
			return r.typedAs("message", r.inReview()+" Softer"), r.handle
		}, jobs.MessageJob, "message"},
		"reference": {func(r *rig) (bot.Request, handler) {
			return r.submission("reference "+r.inReview(), map[string]string{"Image URLs": "https://e.com/a.jpg"}), r.handle
		}, jobs.ReferenceJob, "reference"},
		"a reference's line": {func(r *rig) (bot.Request, handler) {
			return r.typedAs("reference", r.inReview()+" https://e.com/a.jpg"), r.handle
		}, jobs.ReferenceJob, "reference"},
		"a message's line that is worked on again": {func(r *rig) (bot.Request, handler) {
			return r.typedAs("message", r.inReview()+" Softer"), r.worked()
		}, jobs.MessageJob, "message"},
		"a reference's line that is worked on again": {func(r *rig) (bot.Request, handler) {
			return r.typedAs("reference", r.inReview()+" https://e.com/a.jpg"), r.worked()
		}, jobs.ReferenceJob, "reference"},
		"a mention": {func(r *rig) (bot.Request, handler) {
			r.inThread()
			return r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}), r.handle
		}, jobs.RelayJob, "message"},
		"new": {func(r *rig) (bot.Request, handler) {
			r.types("new")
			return r.submissionOfNew(r.screen.last()), r.handle
		}, jobs.PlaceJob, "create"},
		"move": {func(r *rig) (bot.Request, handler) {
			r.houses()
			r.owns("order1", "C1", "maria", nil)
			r.says("maria", "C1", "move order1 #weddings")
			return r.completed(map[string]slack.BlockAction{"moveto": {SelectedConversation: "CPUBLIC"}}), r.handle
		}, jobs.MoveJob, ""},
		"a move's line": {func(r *rig) (bot.Request, handler) {
			r.houses()
			r.owns("order1", "C1", "maria", nil)
			return r.typedAs("move", "order1 CPUBLIC"), r.handle
		}, clickJob, ""},
		"track": {func(r *rig) (bot.Request, handler) {
			r.assemble("maria")
			r.service.set(func(f *forgetful) { f.add("made elsewhere") })
			return r.typedAs("track", "order1"), r.handle
		}, clickJob, ""},
		"a button": {func(r *rig) (bot.Request, handler) {
			return bot.Request{
				Kind: bot.KindAction, ID: "T1.1", TriggerID: "T1.1", Name: cards.ActionApprove, Value: cards.Value(r.inReview(), 0),
				Team: "T1", User: "maria", Channel: "C1", At: time.Now(),
			}, r.handle
		}, clickJob, ""},
		"an edited message": {func(r *rig) (bot.Request, handler) {
			r.inThread()
			r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
			return r.event("message", map[string]any{
				"subtype": "message_changed", "message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": "<@UDARKROOM> Harder"},
			}), r.handle
		}, jobs.EditJob, ""},
	} {
		for when, pause := range map[string]time.Duration{"before it is worked on": 0, "when it is done": 30 * time.Second} {
			t.Run(name+" "+when, func(t *testing.T) {
				bubble(t, func(r *rig) {
					request, handle := row.request(r)
					locked := []func(func() order.Order) (order.Order, error){refused("the account is locked")}
					r.service.set(func(f *forgetful) {
						f.nextCreate, f.nextApprove, f.nextCancel, f.nextRevise, f.nextMessage, f.nextReference = locked, locked, locked, locked, locked, locked
					})
					jobs, calls := r.jobCount(row.job), r.service.called(row.op)
					for range 3 {
						_, err := handle(r.t.Context(), request)
						require.NoError(r.t, err)
						<-time.After(pause)
					}
					r.settle(time.Minute)
					require.Equal(r.t, 1, r.jobCount(row.job)-jobs, "jobs")
					if row.op != "" {
						require.Equal(r.t, 1, r.service.called(row.op)-calls, "calls of the service")
					}
				})
			})
		}
	}
}

// windowed are the verbs that open a window.
var windowed = []string{"new", "approve", "revise", "message", "reference", "move", "settings"}

// opensWindowOf types a verb, and returns the line and the window that it opened.
func (r *rig) opensWindowOf(verb string) (bot.Request, string) {
	r.t.Helper()
	r.delivers(1)
	q := r.typedAs(verb, "order1")
	if verb == "new" {
		q.Args, q.Text = "", verb
	}
	require.NoError(r.t, r.works(r.t.Context(), q))
	return q, r.screen.last()
}

// A worker that died after it had filled a window leaves its click to another: by then
// somebody is typing into that window, and what they typed is known to nobody else.
func TestAWindowThatIsFilledIsNeverPaintedAgain(t *testing.T) {
	for _, verb := range windowed {
		t.Run(verb, func(t *testing.T) {
			bubble(t, func(r *rig) {
				q, window := r.opensWindowOf(verb)
				painted, before := r.screen.painted(window), r.seen()
				require.NotContains(r.t, r.shows(window), "One moment")
				r.screen.late = 1 // the trigger was used
				require.NoError(r.t, r.works(r.t.Context(), q))
				require.Equal(r.t, painted, r.screen.painted(window))
				require.Empty(r.t, r.since(before), "nor is anything said")
			})
		})
	}
}

// Redis may come back without its last second, in which a window was opened: the click is
// delivered again, and in the window somebody types.
func TestAFilledWindowOfWhichRedisForgotIsNotPaintedAgain(t *testing.T) {
	for _, verb := range windowed {
		t.Run(verb, func(t *testing.T) {
			bubble(t, func(r *rig) {
				q, window := r.opensWindowOf(verb)
				painted := r.screen.painted(window)
				forgotten := 0
				for _, key := range r.server.Keys() {
					if strings.Contains(key, "note:") && r.server.Del(key) {
						forgotten++
					}
				}
				require.NotZero(r.t, forgotten)
				r.screen.late = 1 // the trigger was used
				_ = r.works(r.t.Context(), q)
				require.Equal(r.t, painted, r.screen.painted(window))
				require.NotContains(r.t, r.shows(window), "One moment")
			})
		})
	}
}

// Redis may go away right after the window was opened, before that could be noted: the
// next delivery finds it empty and fills it.
func TestAWindowThatStayedEmptyIsFilledByTheNextDelivery(t *testing.T) {
	bubble(t, func(r *rig) {
		q := bot.Request{Kind: bot.KindCommand, ID: "trigger1", Verb: "new", Team: "T1", User: "maria", Channel: "C1", TriggerID: "trigger1"}
		_, err := r.screen.OpenView(r.t.Context(), "trigger1", cards.Loading(cards.TitleNew, emptyWindow(windowID(q, newDraft(q)))))
		require.NoError(r.t, err)
		r.screen.late = 1 // the trigger was used
		require.NoError(r.t, r.works(r.t.Context(), q))
		require.Contains(r.t, r.screen.modal(), "Instructions")
		require.Empty(r.t, r.screen.lastTold(), "the form is open")
	})
}

// painted is how often something was put into a window.
func (s *screen) painted(window string) int {
	s.Lock()
	defer s.Unlock()
	return s.paints[window]
}

// What Redis does not confirm in time may have happened or not. The person reads that
// submitting again is safe, and it is, wherever the connection broke: a form has the same
// identity then, a line and a mention are new ones.
func TestSubmittingAgainIsSafe(t *testing.T) {
	t.Parallel()
	for _, v := range verbsOfDoubt {
		for _, after := range []bool{false, true} {
			for n := int64(1); n < 30; n++ {
				broke := false
				t.Run(fmt.Sprintf("%s/%v/%d", v.job, after, n), func(t *testing.T) {
					bubble(t, func(r *rig) {
						request := againOf[v.job](r)
						r.redis.after = after
						r.redis.left.Store(n)
						_, err := r.handle(context.WithValue(r.t.Context(), atWork{}, true), request)
						broke = r.redis.left.Load() <= 0
						r.redis.left.Store(0)
						if err != nil || !broke { // they read that it could not be confirmed, or nothing broke
							if request.Kind == bot.KindCommand {
								request.ID = "T1.2"
							}
							_, err = r.handle(r.t.Context(), request)
							require.NoError(r.t, err)
						}
						r.settle(time.Minute)
						require.Equal(r.t, 1, v.had(r), "times that the service has it")
						require.Len(r.t, r.events(v.event), 1)
						require.Zero(r.t, r.stats().Dead)
					})
				})
				if !broke {
					break
				}
			}
		}
	}
}

// againOf is what somebody sends, by the job that comes of it.
var againOf = map[string]func(r *rig) bot.Request{
	jobs.PlaceJob: func(r *rig) bot.Request {
		r.types("new")
		return r.submissionOfNew(r.screen.last())
	},
	jobs.ApproveJob: func(r *rig) bot.Request {
		return r.submission("approve "+r.delivers(1), nil)
	},
	jobs.ReviseJob: func(r *rig) bot.Request {
		return r.submission("revise "+r.delivers(1), map[string]string{"1 · 1.jpg": "Brighter"})
	},
	jobs.CancelJob: func(r *rig) bot.Request {
		return r.submission("cancel "+r.placed(), nil)
	},
	jobs.MessageJob: func(r *rig) bot.Request {
		return r.typedAs("message", r.inReview()+" Softer")
	},
	jobs.RelayJob: func(r *rig) bot.Request {
		r.inThread()
		return r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"})
	},
	jobs.ReferenceJob: func(r *rig) bot.Request {
		return r.submission("reference "+r.inReview(), map[string]string{"Image URLs": "https://e.com/a.jpg"})
	},
}
