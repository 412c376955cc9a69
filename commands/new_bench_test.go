package commands_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// desk is the commands over a Redis and a Slack that answers at once. Its queue has no worker.
type desk struct {
	screen  *commandstest.Screen
	drafts  *store.Drafts
	running *commands.Running
	router  *bot.Router
}

// deskOver builds a desk; wrapped wraps its Slack.
func deskOver(tb testing.TB, rdb redis.UniversalClient, wrapped func(*commandstest.Screen) slackOfDesk) *desk {
	tb.Helper()
	quiet := slog.New(slog.DiscardHandler)
	screen := &commandstest.Screen{Shown: map[string]string{}}
	client := wrapped(screen)
	signer, err := files.NewSigner("https://darkroom.example.com", []string{strings.Repeat("k", 32)})
	require.NoError(tb, err)
	q := queue.New(rdb, queue.Options{Logger: quiet})
	kept := store.New(rdb, q)
	service := &commandstest.Service{Credits: decimal.NewFromInt(100)}
	who := access.New(access.Config{Slack: client, Orders: kept.Orders, Settings: kept.Settings, Log: quiet})
	done, err := jobs.New(jobs.Config{Slack: client, Service: service, Store: kept, Queue: q, Access: who, Files: signer, Log: quiet})
	require.NoError(tb, err)
	running := new(commands.Running)
	c, err := commands.New(commands.Config{Slack: client, Service: service, Store: kept, Jobs: done, Access: who, Files: signer, Log: quiet, Running: running})
	require.NoError(tb, err)
	router := bot.NewRouter(quiet)
	c.Routes(router)
	return &desk{screen, kept.Drafts, running, router}
}

// slackOfDesk is the Slack of the commands, the jobs and access.
type slackOfDesk interface {
	answers.Slack
	access.Slack
}

func asItIs(s *commandstest.Screen) slackOfDesk { return s }

// newForm returns the click that opens the n-th order form.
func newForm(n int) bot.Request {
	id := fmt.Sprint("trigger", n)
	return bot.Request{
		Kind: bot.KindShortcut, ID: id, Name: commands.ShortcutNew, TriggerID: id,
		Team: "T1", User: "maria", Channel: "C1", At: time.Now(),
	}
}

// fillsIn returns the submission of the n-th form, some 8 kB of Slack's JSON.
func (d *desk) fillsIn(tb testing.TB, n int) bot.Request {
	tb.Helper()
	d.router.Handle(tb.Context(), newForm(n))
	require.NoError(tb, d.running.Wait(tb.Context()))
	view := d.screen.View(d.screen.Last())
	view.Type = slack.VTModal
	view.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	typed := map[string]string{
		"Instructions": strings.Repeat("Brighten the sky a little, and keep the sand.\n", 40), "Project name": "Smith wedding",
	}
	for _, block := range view.Blocks.BlockSet {
		input, is := block.(*slack.InputBlock)
		if !is {
			continue
		}
		action := slack.BlockAction{Value: typed[input.Label.Text]}
		switch input.Label.Text {
		case "Service type":
			action.SelectedOption = slack.OptionBlockObject{Value: "basic"}
		case "Photos":
			for i := range 3 {
				action.Files = append(action.Files, commandstest.SlackPhoto(fmt.Sprint("beach", i, ".jpg")))
			}
		}
		view.State.Values[input.BlockID] = map[string]slack.BlockAction{kit.ActionTyped: action}
	}
	return bot.Request{
		Kind: bot.KindSubmit, ID: fmt.Sprint("submit", n), Name: place.CallbackNew,
		Team: "T1", User: "maria", View: &view, At: time.Now(),
	}
}

// submits sends a filled form to the router, and requires that it is being placed.
func (d *desk) submits(tb testing.TB, q bot.Request) {
	tb.Helper()
	reply := d.router.Handle(tb.Context(), q)
	answer, is := reply.Body.(*slack.ViewSubmissionResponse)
	if !is || answer.View == nil || answer.View.CallbackID != "" {
		tb.Fatalf("answered with %s", commandstest.Text(reply.Body))
	}
}

// BenchmarkSubmit measures the first submission of a filled order form, from the router to the answer, with a durable
// real Redis.
func BenchmarkSubmit(b *testing.B) {
	d := deskOver(b, storetest.Client(b), asItIs)
	b.ReportAllocs()
	n, forms := 0, []bot.Request(nil)
	for b.Loop() {
		if len(forms) == 0 {
			b.StopTimer()
			for range 500 {
				n++
				forms = append(forms, d.fillsIn(b, n))
			}
			b.StartTimer()
		}
		d.submits(b, forms[0])
		forms = forms[1:]
	}
}

// opener is a Slack that reports when a window opens.
type opener struct {
	*commandstest.Screen
	opens chan time.Time
}

// OpenView reports the call.
func (o opener) OpenView(ctx context.Context, trigger string, v slack.ModalViewRequest) error {
	o.opens <- time.Now()
	return o.Screen.OpenView(ctx, trigger, v)
}

// BenchmarkOpenForm measures the way from a click to an open order form. us/views.open is the time until the call to
// views.open.
func BenchmarkOpenForm(b *testing.B) {
	opens := make(chan time.Time, 1)
	d := deskOver(b, storetest.Client(b), func(s *commandstest.Screen) slackOfDesk { return opener{s, opens} })
	b.ReportAllocs()
	var asked time.Duration
	n := 0
	for b.Loop() {
		n++
		click, began := newForm(n), time.Now()
		d.router.Handle(b.Context(), click)
		asked += (<-opens).Sub(began)
		require.NoError(b, d.running.Wait(b.Context()))
	}
	b.ReportMetric(float64(asked.Microseconds())/float64(n), "us/views.open")
}
