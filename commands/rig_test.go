package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/store"
	"darkroom/store/queue"
)

// rig is the commands between a real store and queue, in a bubble where time costs
// nothing, and two outsides made by hand.
type rig struct {
	*Commands
	t       *testing.T
	config  Config
	screen  *screen
	service *forgetful
	clicks  int
	redis   flaky
	rdb     *redis.Client
	server  *miniredis.Miniredis
	ops     func(ctx context.Context, sentence string) (bool, error) // the operations channel; nil: there is none
	deaf    time.Duration                                            // until it hears of a job that died; zero: at once

	mu  sync.Mutex
	ran map[string]map[string]bool // kind of job → ids that were worked on
}

// bubble runs a story in which minutes pass at once.
func bubble(t *testing.T, story func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		q := r.queue // the story may put the rooms together anew meanwhile
		go func() { ended <- q.Run(ctx, r.work) }()
		defer func() {
			stop()
			require.NoError(t, <-ended)
		}()
		story(r)
	})
}

// idle is how long the queue of a rig waits when there is nothing to do.
const idle = time.Minute

func newRig(t *testing.T) *rig {
	t.Helper()
	m := miniredis.NewMiniRedis()
	m.ClockTTL(true)
	rdb := redis.NewClient(&redis.Options{
		Dialer:                func(context.Context, string, string) (net.Conn, error) { return buffered(m) },
		ContextTimeoutEnabled: true, DisableIdentity: true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	t.Cleanup(func() { _ = rdb.Close(); m.Close() })
	r := &rig{t: t, screen: &screen{shown: map[string]string{}}, service: &forgetful{credits: decimal.NewFromInt(100)}}
	r.rdb, r.server = rdb, m
	rdb.AddHook(&r.redis)
	q := queue.New(rdb, queue.Options{
		Logger: slog.New(slog.DiscardHandler), Idle: idle, DrainTimeout: 2 * idle, // hours are free, asking is not
		OnDead: func(ctx context.Context, l queue.DeadLetter) {
			<-time.After(r.deaf)
			r.current().jobs.Died(ctx, l)
		},
	})
	r.config = Config{Slack: r.screen, Service: r.service, Store: store.New(rdb, q), Queue: q}
	r.assemble()
	return r
}

// assemble puts the rooms together as they are configured now.
func (r *rig) assemble(operators ...string) {
	cfg := r.config
	cfg.Access = access.New(access.Config{Slack: r.screen, Store: cfg.Store, Operators: operators, Log: slog.New(slog.DiscardHandler)})
	cfg.Jobs = jobs.New(jobs.Config{
		Slack: r.screen, Service: r.service, Store: cfg.Store, Queue: cfg.Queue, Access: cfg.Access, Files: cfg.Files,
		Ops: func(ctx context.Context, sentence string) (bool, error) {
			if r.ops == nil {
				return false, nil
			}
			return r.ops(ctx, sentence)
		},
	})
	c := New(cfg)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Commands = c
}

// current are the commands as they are now, for the queue: the story may put others together.
func (r *rig) current() *Commands {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.Commands
}

// sign makes photos public for the service, or no longer.
func (r *rig) sign(signer *files.Signer) {
	r.config.Files = signer
	r.assemble()
}

// work does the app's jobs; those of the announcer it only looks at.
func (r *rig) work(ctx context.Context, d *queue.Delivery) error {
	r.note(d)
	if d.Kind == store.MarkKind {
		return r.screen.marked(d.Body)
	}
	c := r.current()
	if !c.jobs.Handles(d.Kind) {
		return nil
	}
	return c.jobs.Work(context.WithValue(ctx, atWork{}, true), d)
}

func (r *rig) note(d *queue.Delivery) {
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

// jobCount is how many jobs of a kind there were.
func (r *rig) jobCount(kind string) int { return len(r.jobsOf(kind)) }

func (r *rig) jobsOf(kind string) map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.ran[kind])
}

func (r *rig) stats() queue.Stats {
	r.t.Helper()
	stats, err := r.queue.Stats(r.t.Context())
	require.NoError(r.t, err)
	return stats
}

// types is a person typing a command line.
func (r *rig) types(line string) {
	r.t.Helper()
	verb, args, _ := strings.Cut(line, " ")
	r.click(bot.Request{Kind: bot.KindCommand, Name: Slash, Verb: verb, Args: args, Text: line})
}

// presses is a person pressing a button outside a modal.
func (r *rig) presses(action, value string) {
	r.t.Helper()
	r.click(bot.Request{Kind: bot.KindAction, Name: action, Value: value})
}

// click is anything that becomes a job, done by maria in #shoots unless it says who.
func (r *rig) click(q bot.Request) {
	r.t.Helper()
	r.clicks++
	q.ID = fmt.Sprintf("trigger%d", r.clicks)
	q.TriggerID, q.Team, q.At = q.ID, "T1", time.Now()
	if q.Channel == "" && (q.View == nil || q.View.Type != slack.VTHomeTab) {
		q.Channel = "C1"
	}
	if q.User == "" {
		q.User = "maria"
	}
	_, err := r.accept(r.t.Context(), q)
	require.NoError(r.t, err)
	r.settle(time.Second)
}

// settle lets the app work for a while.
func (r *rig) settle(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// submits is maria submitting a filled order form that was opened last.
func (r *rig) submits() bot.Reply {
	r.t.Helper()
	return r.submitsForm(r.screen.last())
}

func (r *rig) submitsForm(window string) bot.Reply {
	r.t.Helper()
	reply, err := r.submitNew(r.t.Context(), r.submissionOfNew(window))
	require.NoError(r.t, err)
	r.settle(time.Second)
	return reply
}

// submissionOfNew is a filled order form on its way.
func (r *rig) submissionOfNew(window string) bot.Request {
	r.t.Helper()
	view := r.screen.view(window)
	fill := map[string]string{"Image URLs": "https://example.com/a.jpg", "Instructions": "Brighten it.", "Project name": "Smith wedding"}
	view.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for _, block := range view.Blocks.BlockSet {
		input, ok := block.(*slack.InputBlock)
		if !ok {
			continue
		}
		var element struct {
			ActionID string `json:"action_id"`
		}
		raw, err := json.Marshal(input.Element)
		require.NoError(r.t, err)
		require.NoError(r.t, json.Unmarshal(raw, &element))
		action := slack.BlockAction{Value: fill[input.Label.Text]}
		switch input.Label.Text {
		case "Post to":
			action.SelectedConversation, action.SelectedChannel = "C1", "C1"
		case "Service type":
			action.SelectedOption = slack.OptionBlockObject{Value: "basic"}
		}
		view.State.Values[input.BlockID] = map[string]slack.BlockAction{element.ActionID: action}
	}
	r.clicks++
	return bot.Request{
		Kind: bot.KindSubmit, ID: fmt.Sprintf("submit%d", r.clicks), Name: cards.CallbackNew,
		Team: "T1", User: "maria", View: &view, At: time.Now(),
	}
}

// approves is a person submitting the approval that was opened last.
func (r *rig) approves() {
	r.t.Helper()
	view := r.screen.view(r.screen.last())
	view.State = &slack.ViewState{}
	r.clicks++
	_, err := r.submitApprove(r.t.Context(), bot.Request{
		Kind: bot.KindSubmit, ID: fmt.Sprintf("submit%d", r.clicks), Name: cards.CallbackApprove,
		Team: "T1", User: "maria", View: &view, At: time.Now(),
	})
	require.NoError(r.t, err)
	r.settle(time.Second)
}
