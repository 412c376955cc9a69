package commands_test

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
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store/queue"
)

// handler handles Slack's requests.
type handler func(context.Context, bot.Request) (bot.Reply, error)

// worked returns a handler that runs a click's work at once, like a worker that may die before it reports.
func worked(r *commandstest.Rig) handler {
	return func(ctx context.Context, q bot.Request) (bot.Reply, error) { return bot.Ack(), works(ctx, r, q) }
}

// works runs a click's work, from any handler.
func works(ctx context.Context, r *commandstest.Rig, q bot.Request) error {
	body, err := json.Marshal(q)
	require.NoError(r.T, err)
	job := queue.Job{ID: commands.ClickJob + ":" + q.ID, Lane: "by hand", Kind: commands.ClickJob, Body: body}
	return r.Doing(commands.ClickJob)(ctx, &queue.Delivery{Job: job, PutAt: time.Now()})
}

// asked maps each kind of request to its one job, which calls the service at most once.
var asked = map[string]struct {
	request func(r *commandstest.Rig) (bot.Request, handler)
	job, op string
}{
	"approve": {func(r *commandstest.Rig) (bot.Request, handler) {
		return r.Submission("approve "+r.Delivers(1), nil), r.Handle
	}, job.Approve, "approve"},
	"approve several": {func(r *commandstest.Rig) (bot.Request, handler) {
		waitForMaria(r, 1)
		return selects(r, "order001"), r.Handle
	}, job.Approve, "approve"},
	"revise": {func(r *commandstest.Rig) (bot.Request, handler) {
		return r.Submission("revise "+r.Delivers(1), map[string]string{"1 · 1.jpg": "Brighter"}), r.Handle
	}, job.Revise, "revise"},
	"cancel": {func(r *commandstest.Rig) (bot.Request, handler) {
		return r.Submission("cancel "+r.Placed(), nil), r.Handle
	}, job.Cancel, "cancel"},
	"message": {func(r *commandstest.Rig) (bot.Request, handler) {
		return r.Submission("message "+r.InReview(), map[string]string{"Message": "Softer"}), r.Handle
	}, job.Message, "message"},
	"a message's line": {func(r *commandstest.Rig) (bot.Request, handler) {
		return r.TypedAs("message", r.InReview()+" Softer"), r.Handle
	}, job.Message, "message"},
	"reference": {func(r *commandstest.Rig) (bot.Request, handler) {
		return r.Submission("reference "+r.InReview(), map[string]string{"Photo links": "https://e.com/a.jpg"}), r.Handle
	}, job.Reference, "reference"},
	"a reference's line": {func(r *commandstest.Rig) (bot.Request, handler) {
		return r.TypedAs("reference", r.InReview()+" https://e.com/a.jpg"), r.Handle
	}, job.Reference, "reference"},
	"a message's line that is worked on again": {func(r *commandstest.Rig) (bot.Request, handler) {
		return r.TypedAs("message", r.InReview()+" Softer"), worked(r)
	}, job.Message, "message"},
	"a reference's line that is worked on again": {func(r *commandstest.Rig) (bot.Request, handler) {
		return r.TypedAs("reference", r.InReview()+" https://e.com/a.jpg"), worked(r)
	}, job.Reference, "reference"},
	"a mention": {func(r *commandstest.Rig) (bot.Request, handler) {
		r.InThread()
		return r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}), r.Handle
	}, job.Relay, "message"},
	"new": {func(r *commandstest.Rig) (bot.Request, handler) {
		r.Types("new")
		return r.SubmissionOfNew(r.Screen.Last()), r.Handle
	}, job.Place, "create"},
	"move": {func(r *commandstest.Rig) (bot.Request, handler) {
		r.SetUpWorkspace()
		r.Owns("order1", "C1", "maria", nil)
		r.Says("maria", "C1", "move order1 #weddings")
		return r.Completed(map[string]slack.BlockAction{"moveto": {SelectedConversation: "CPUBLIC"}}), r.Handle
	}, job.Move, ""},
	"a move's line": {func(r *commandstest.Rig) (bot.Request, handler) {
		r.SetUpWorkspace()
		r.Owns("order1", "C1", "maria", nil)
		return r.TypedAs("move", "order1 CPUBLIC"), r.Handle
	}, commands.ClickJob, ""},
	"disconnect": {func(r *commandstest.Rig) (bot.Request, handler) {
		r.ConnectedTo(nil)
		view := r.Disconnects("keep", "", "keep")
		return bot.Request{Kind: bot.KindSubmit, ID: "V2:" + view.ExternalID, Name: view.CallbackID, Team: "T1", User: "boss", View: &view, At: time.Now()}, r.Handle
	}, job.Disconnect, ""},
	"track": {func(r *commandstest.Rig) (bot.Request, handler) {
		r.Assemble("maria")
		r.Service.Set(func(f *commandstest.Service) { f.Add("made elsewhere") })
		return r.TypedAs("track", "order1"), r.Handle
	}, commands.ClickJob, ""},
	"a pick that acts": {func(r *commandstest.Rig) (bot.Request, handler) {
		r.Assemble("maria")
		return bot.Request{
			Kind: bot.KindAction, ID: "T1.1", TriggerID: "T1.1", Name: cards.ActionPick + "untrack", Value: cards.Value(r.InReview(), 0),
			Team: "T1", User: "maria", Channel: "C1", At: time.Now(),
		}, r.Handle
	}, commands.ClickJob, ""},
	"an edited message": {func(r *commandstest.Rig) (bot.Request, handler) {
		r.InThread()
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		return r.Event("message", map[string]any{
			"subtype": "message_changed", "message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "<@UDARKROOM> Harder"},
		}), r.Handle
	}, job.Edit, ""},
}

// Slack repeats deliveries that it is not sure of, and people click twice. Whatever became of the first delivery, there
// is one job and at most one call of the service. The service refuses here, so that a second job would find everything
// unchanged.
func TestWhatSlackDeliversAgainIsOneJob(t *testing.T) {
	t.Parallel()
	for name, row := range asked {
		for when, pause := range map[string]time.Duration{"before it is worked on": 0, "when it is done": 30 * time.Second} {
			t.Run(name+" "+when, func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					request, handle := row.request(r)
					locked := []func(func() order.Order) (order.Order, error){commandstest.Refused("the account is locked")}
					r.Service.Set(func(f *commandstest.Service) {
						f.NextCreate, f.NextApprove, f.NextCancel, f.NextRevise, f.NextMessage, f.NextReference = locked, locked, locked, locked, locked, locked
					})
					jobs, calls := r.JobCount(row.job), r.Service.Called(row.op)
					for range 3 {
						_, err := handle(r.T.Context(), request)
						require.NoError(r.T, err)
						<-time.After(pause)
					}
					r.Settle(time.Minute)
					require.Equal(r.T, 1, r.JobCount(row.job)-jobs, "jobs")
					if row.op != "" {
						require.Equal(r.T, 1, r.Service.Called(row.op)-calls, "calls of the service")
					}
				})
			})
		}
	}
}

// A form that is submitted twice is acknowledged twice, and the second acknowledgement may replace the first's answer.
// The answer is shown once more, and sent to nobody whose window is closed.
func TestAFormThatIsSubmittedTwiceDoesNotStayOnItsWay(t *testing.T) {
	t.Parallel()
	for name, row := range asked {
		for how, away := range map[string]bool{"its window is open": false, "its window was closed": true} {
			t.Run(name+"/"+how, func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					form, handle := row.request(r)
					if form.View == nil {
						return // no window stays open
					}
					submits := func() {
						reply, err := handle(r.T.Context(), form)
						require.NoError(r.T, err)
						_ = r.Screen.UpdateView(r.T.Context(), form.View.ExternalID, "", "", *reply.Body.(*slack.ViewSubmissionResponse).View)
						require.Contains(r.T, r.Shows(form.View.ExternalID), "…")
						r.Settle(time.Minute)
					}
					submits()
					answer := r.Shows(form.View.ExternalID)
					require.NotContains(r.T, answer, "…")
					if !away {
						submits()
						require.Equal(r.T, answer, r.Shows(form.View.ExternalID))
						return
					}
					told, written := len(r.Screen.AllMessages()), len(r.Screen.DMs)
					r.Screen.Lock()
					r.Screen.Closed = true
					r.Screen.Unlock()
					_, err := handle(r.T.Context(), form)
					require.NoError(r.T, err)
					r.Settle(time.Minute)
					require.Len(r.T, r.Screen.AllMessages(), told)
					require.Len(r.T, r.Screen.DMs, written)
					dead, err := r.Queue.DeadLetters().List(r.T.Context(), 1)
					require.NoError(r.T, err)
					require.Empty(r.T, dead)
				})
			})
		}
	}
}

// A request that Redis does not save is not acknowledged, so that the person or Slack repeats it. Then it is one job,
// however far the first delivery came.
func TestWhatRedisDoesNotTakeIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	for name, row := range asked {
		for n, broke := int64(1), true; broke && n < 30; n++ {
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					request, handle := row.request(r)
					jobs := r.JobCount(row.job)
					r.Flaky.Left.Store(n)
					_, err := handle(context.WithValue(r.T.Context(), commandstest.AtWork{}, true), request)
					broke = r.Flaky.Left.Load() <= 0
					r.Flaky.Left.Store(0)
					if err != nil {
						_, err = handle(r.T.Context(), request)
						require.NoError(r.T, err)
					}
					r.Settle(time.Minute)
					require.Equal(r.T, 1, r.JobCount(row.job)-jobs, "jobs")
					require.Zero(r.T, r.Stats().Dead)
				})
			})
		}
	}
}

// windowed lists the verbs that open a window.
var windowed = []string{"new", "approve", "revise", "message", "reference", "move", "settings"}

// opensWindowOf types a verb, and returns the line and its window.
func opensWindowOf(r *commandstest.Rig, verb string) (bot.Request, string) {
	r.T.Helper()
	r.Delivers(1)
	q := r.TypedAs(verb, "order1")
	if verb == "new" {
		q.Args, q.Text = "", verb
	}
	require.NoError(r.T, works(r.T.Context(), r, q))
	return q, r.Screen.Last()
}

// A worker that dies after it filled a window leaves its click to another worker. By then the person may be typing into
// the window, and only the window has that text.
func TestAWindowThatIsFilledIsNeverPaintedAgain(t *testing.T) {
	for _, verb := range windowed {
		t.Run(verb, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				q, window := opensWindowOf(r, verb)
				painted, before := r.Screen.Painted(window), r.Seen()
				require.NotContains(r.T, r.Shows(window), "One moment")
				r.Screen.Late = 1 // the trigger was used
				require.NoError(r.T, works(r.T.Context(), r, q))
				require.Equal(r.T, painted, r.Screen.Painted(window))
				require.Empty(r.T, r.Since(before), "nor is anything said")
			})
		})
	}
}

// Redis may lose its last second, in which a window was opened. The click is delivered again while the person types.
func TestAFilledWindowOfWhichRedisForgotIsNotPaintedAgain(t *testing.T) {
	for _, verb := range windowed {
		t.Run(verb, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				q, window := opensWindowOf(r, verb)
				painted := r.Screen.Painted(window)
				forgotten := 0
				for _, key := range r.Server.Keys() {
					if strings.Contains(key, "note:") && r.Server.Del(key) {
						forgotten++
					}
				}
				require.NotZero(r.T, forgotten)
				r.Screen.Late = 1 // the trigger was used
				_ = works(r.T.Context(), r, q)
				require.Equal(r.T, painted, r.Screen.Painted(window))
				require.NotContains(r.T, r.Shows(window), "One moment")
			})
		})
	}
}

// Redis may fail after the window was opened and before that was saved: the next delivery fills the empty window.
func TestAWindowThatStayedEmptyIsFilledByTheNextDelivery(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		q := bot.Request{Kind: bot.KindCommand, ID: "trigger1", Verb: "new", Team: "T1", User: "maria", Channel: "C1", TriggerID: "trigger1"}
		err := r.Screen.OpenView(r.T.Context(), "trigger1", kit.Loading(place.Title, commands.EmptyNewWindow(q)))
		require.NoError(r.T, err)
		r.Screen.Late = 1 // the trigger was used
		require.NoError(r.T, works(r.T.Context(), r, q))
		require.Contains(r.T, r.Screen.Modal(), "Instructions")
		require.Empty(r.T, r.Screen.LastMessage(), "the form is open")
	})
}
