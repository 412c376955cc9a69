// Package commandstest is the app without its outsides, for tests alone: the commands and the
// jobs over a real store and queue, in a bubble where time costs nothing. What Slack shows is on
// a [Screen], and the [Service] is one that loses answers when told to.
//
// A [Rig] asks for things as people do: every line, button, form and event goes through the same
// router as Slack's requests, and what comes of it is done by the queue.
package commandstest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/commands"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/jobs/accounts"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
)

// Rig connects the commands and the jobs to a real store and queue, a fake Slack and a fake order service.
type Rig struct {
	T        *testing.T
	Screen   *Screen
	Service  *Service
	Store    *store.Store
	Queue    *queue.Queue
	Access   *access.Control
	Jobs     *jobs.Jobs
	Commands *commands.Commands
	Running  commands.Running

	Redis     *redis.Client
	Server    *storetest.InProcess
	Flaky     Flaky
	Abandoned atomic.Int64                                             // orders given up with an unknown outcome
	Clicks    int                                                      // number of requests so far, for their ids
	Ops       func(ctx context.Context, sentence string) (bool, error) // posts to the operations channel; nil: no channel
	DeadDelay time.Duration                                            // delay of OnDead; zero: none

	Log        *slog.Logger         // of the jobs and the commands; nil: discarded
	Connecting *accounts.Connecting // nil: the configuration has the account; see [Rig.Connects]

	Mark cards.MarkURL // makes the links for pins; nil: no PUBLIC_URL

	router *bot.Router
	signer *files.Signer // nil: no PUBLIC_URL

	mu  sync.Mutex
	ran map[string]map[string]bool // kind of job → ids of jobs that ran
}

// Retention is how long the rig keeps a finished order.
const Retention = 20 * 24 * time.Hour

// Bubble runs a story in a synctest bubble, in which minutes pass at once.
func Bubble(t *testing.T, story func(r *Rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := New(t)
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		q := r.Queue // the story may assemble the app again
		go func() { ended <- q.Run(ctx, r.work) }()
		defer func() {
			stop()
			require.NoError(t, <-ended)
		}()
		story(r)
	})
}

// idle is how long the rig's queue waits when it is empty.
const idle = 10 * time.Minute

// New returns a rig whose queue has no worker.
func New(t *testing.T) *Rig {
	t.Helper()
	frugal()
	m := storetest.NewInProcess()
	rdb := redis.NewClient(&redis.Options{
		Dialer:                func(context.Context, string, string) (net.Conn, error) { return buffered(m) },
		ContextTimeoutEnabled: true, DisableIdentity: true, DialerRetries: 1, // a second dial waits, and may outlive the bubble
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	t.Cleanup(func() { _ = rdb.Close(); m.Close() })
	r := &Rig{T: t, Screen: &Screen{Shown: map[string]string{}}, Service: &Service{t: t, Credits: decimal.NewFromInt(100)}}
	r.Redis, r.Server = rdb, m
	rdb.AddHook(&r.Flaky)
	q := queue.New(rdb, queue.Options{
		Logger: slog.New(slog.DiscardHandler), Idle: idle, DrainTimeout: 2 * idle, // waiting is free in a bubble, polling is not
		OnDead: func(ctx context.Context, l queue.DeadLetter) error {
			<-time.After(r.DeadDelay)
			return r.current().Died(ctx, l)
		},
	})
	r.Store, r.Queue = store.New(rdb, q), q
	_, err := r.Store.AccountNames.NoteNames(t.Context(), tenants.ServiceAccount{}.ID(), tenants.Names{Kept: order.NameLength{Letters: 1000, Bytes: 1000}}) // like an account in use
	require.NoError(t, err)
	r.Assemble()
	return r
}

// Assemble builds the app from the rig's current fields.
func (r *Rig) Assemble(operators ...string) {
	log := r.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	r.Access = access.New(access.Config{Slack: r.Screen, Orders: r.Store.Orders, Settings: r.Store.Settings, Offers: r.Store.Documents.Offer, Operators: operators, Log: slog.New(slog.DiscardHandler)})
	done, err := jobs.New(jobs.Config{
		Slack: r.Screen, Service: r.service(), Store: r.Store, Queue: r.Queue, Access: r.Access, Files: r.signer,
		Mark: r.Mark, Log: log, GivenUp: func() { r.Abandoned.Add(1) }, Retention: Retention, Connecting: r.Connecting,
		Ops: func(ctx context.Context, sentence string) (bool, error) {
			if r.Ops == nil {
				return false, nil
			}
			return r.Ops(ctx, sentence)
		},
	})
	require.NoError(r.T, err)
	r.Commands, err = commands.New(commands.Config{
		Slack: r.Screen, Service: r.service(), Store: r.Store, Jobs: done, Access: r.Access, Files: r.signer,
		Log: log, Running: &r.Running,
	})
	require.NoError(r.T, err)
	r.mu.Lock()
	r.Jobs = done // after the commands have added their kinds: the queue is running
	r.mu.Unlock()
	r.router = bot.NewRouter(slog.New(refusals{}))
	r.Commands.Routes(r.router)
}

// current returns the app's jobs for the queue; a story may assemble others.
func (r *Rig) current() *jobs.Jobs {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.Jobs
}

// Handle sends a request through the router. It fails without a handler, or with the handler's error.
func (r *Rig) Handle(ctx context.Context, q bot.Request) (bot.Reply, error) {
	var failed error
	reply := r.router.Handle(context.WithValue(ctx, failure{}, &failed), q)
	if q.Kind == bot.KindCommand && reply.Body != nil {
		r.Screen.reads(reply)
	}
	return reply, failed
}

// refusals is a log handler that returns a request's failure to the rig.
type refusals struct{}

// failure is the context key of the failure.
type failure struct{}

func (refusals) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (refusals) Handle(ctx context.Context, record slog.Record) error {
	failed, ok := ctx.Value(failure{}).(*error)
	if !ok {
		return nil
	}
	*failed = errors.New(record.Message)
	record.Attrs(func(a slog.Attr) bool {
		if err, ok := a.Value.Any().(error); ok {
			*failed = err
		}
		return true
	})
	return nil
}

func (h refusals) WithAttrs([]slog.Attr) slog.Handler { return h }

func (h refusals) WithGroup(string) slog.Handler { return h }

// Doing returns a job kind's work, without the handling of failures.
func (r *Rig) Doing(kind string) queue.Handler {
	k, ok := r.Jobs.Kinds().Kind(kind)
	require.True(r.T, ok, kind)
	return k.Work
}

// Sign sets the signer of public photo URLs; nil: no PUBLIC_URL.
func (r *Rig) Sign(signer *files.Signer) {
	r.signer = signer
	r.Assemble()
}

// work runs the app's jobs, and only records the announcer's.
func (r *Rig) work(ctx context.Context, d *queue.Delivery) error {
	r.note(d)
	if d.Kind == store.MarkKind {
		return r.Screen.marked(d.Body)
	}
	done := r.current()
	k, ok := done.Kinds().Kind(d.Kind)
	if !ok {
		return nil
	}
	return done.Work(context.WithValue(context.WithValue(ctx, AtWork{}, true), ofKind{}, k), d)
}

func (r *Rig) note(d *queue.Delivery) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ran == nil {
		r.ran = map[string]map[string]bool{}
	}
	if r.ran[d.Kind] == nil {
		r.ran[d.Kind] = map[string]bool{}
	}
	r.ran[d.Kind][d.ID] = true
}

// JobCount returns the number of jobs of a kind that ran.
func (r *Rig) JobCount(kind string) int { return len(r.JobsOf(kind)) }

// JobsOf returns the ids of the jobs of a kind that ran.
func (r *Rig) JobsOf(kind string) map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.ran[kind])
}

// Worked returns the number of jobs of all kinds that ran.
func (r *Rig) Worked() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, ids := range r.ran {
		n += len(ids)
	}
	return n
}

// Stats returns the queue's counts of waiting and dead jobs.
func (r *Rig) Stats() queue.Stats {
	r.T.Helper()
	stats, err := r.Queue.Inspector().Stats(r.T.Context())
	require.NoError(r.T, err)
	return stats
}

// Types types a command line as maria.
func (r *Rig) Types(line string) {
	r.T.Helper()
	verb, args, _ := strings.Cut(line, " ")
	r.Click(bot.Request{Kind: bot.KindCommand, Name: commands.Slash, Verb: verb, Args: args, Text: line})
}

// Presses presses a button outside a modal as maria.
func (r *Rig) Presses(action, value string) {
	r.T.Helper()
	r.Click(bot.Request{Kind: bot.KindAction, Name: action, Value: value})
}

// Click sends a request, by maria in C1 by default, and waits for its jobs.
func (r *Rig) Click(q bot.Request) {
	r.T.Helper()
	r.Clicks++
	q.ID = fmt.Sprintf("trigger%d", r.Clicks)
	q.TriggerID, q.Team, q.At = q.ID, "T1", time.Now()
	if q.Channel == "" && (q.View == nil || q.View.Type != slack.VTHomeTab) {
		q.Channel = "C1"
	}
	if q.User == "" {
		q.User = "maria"
	}
	_, err := r.Handle(r.T.Context(), q)
	require.NoError(r.T, err)
	r.Settle(time.Second)
}

// Settle lets the app work for a while.
func (r *Rig) Settle(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// Submits submits the last opened order form, filled in, as maria.
func (r *Rig) Submits() bot.Reply {
	r.T.Helper()
	return r.SubmitsForm(r.Screen.Last())
}

// SubmitsForm submits an order form, filled in, as maria.
func (r *Rig) SubmitsForm(window string) bot.Reply {
	r.T.Helper()
	reply, err := r.Handle(r.T.Context(), r.SubmissionOfNew(window))
	require.NoError(r.T, err)
	r.Settle(time.Second)
	return reply
}

// SubmissionOfNew returns the submission of a filled order form.
func (r *Rig) SubmissionOfNew(window string) bot.Request {
	r.T.Helper()
	view := r.Screen.View(window)
	fill := map[string]string{"Photo links": "https://example.com/a.jpg", "Instructions": "Brighten it."}
	view.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{
		"project:1": {"typed:project": {Value: "Smith wedding"}}, // as if More Options were open
	}}
	for _, input := range cardstest.Inputs(view.Blocks.BlockSet) {
		var element struct {
			ActionID string `json:"action_id"`
		}
		raw, err := json.Marshal(input.Element)
		require.NoError(r.T, err)
		require.NoError(r.T, json.Unmarshal(raw, &element))
		action := slack.BlockAction{Value: fill[input.Label.Text]}
		switch input.Label.Text {
		case "Post to":
			action.SelectedConversation, action.SelectedChannel = "C1", "C1"
		case "Service type":
			action.SelectedOption = slack.OptionBlockObject{Value: "basic"}
		}
		view.State.Values[input.BlockID] = map[string]slack.BlockAction{element.ActionID: action}
	}
	return r.submission("maria", &view)
}

// Approves submits the last opened approval as maria.
func (r *Rig) Approves() {
	r.T.Helper()
	view := r.Screen.View(r.Screen.Last())
	view.State = &slack.ViewState{}
	_, err := r.Handle(r.T.Context(), r.submission("maria", &view))
	require.NoError(r.T, err)
	r.Settle(time.Second)
}
