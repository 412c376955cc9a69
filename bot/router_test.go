package bot_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"darkroom/bot"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func named(name string) bot.HandlerFunc {
	return func(context.Context, bot.Request) (bot.Reply, error) { return bot.Reply{Body: name}, nil }
}

func TestTheNearestHandlerWins(t *testing.T) {
	r := bot.NewRouter(nil)
	r.Command("/order", named("rest"))
	r.Action("draft:retry*", named("retry"))
	r.Action("draft:*", named("draft"))
	r.Action("draft:discard", named("discard"))
	r.Submit("new", named("submitted"))
	r.Close("new", named("closed"))
	r.Shortcut("new", named("shortcut"))
	r.Options("pick", named("options"))
	r.Event("app_home_opened", named("home"))
	tests := map[string]struct {
		q    bot.Request
		want any
	}{
		"a command":              {bot.Request{Kind: bot.KindCommand, Name: "/order", Verb: "new"}, "rest"},
		"another command":        {bot.Request{Kind: bot.KindCommand, Name: "/else", Verb: "new"}, nil},
		"the exact action":       {bot.Request{Kind: bot.KindAction, Name: "draft:discard"}, "discard"},
		"the longest prefix":     {bot.Request{Kind: bot.KindAction, Name: "draft:retry:2"}, "retry"},
		"the shorter prefix":     {bot.Request{Kind: bot.KindAction, Name: "draft:x"}, "draft"},
		"an action nobody knows": {bot.Request{Kind: bot.KindAction, Name: "drift:x"}, nil},
		"a submission":           {bot.Request{Kind: bot.KindSubmit, Name: "new"}, "submitted"},
		"a closed view":          {bot.Request{Kind: bot.KindClose, Name: "new"}, "closed"},
		"a shortcut":             {bot.Request{Kind: bot.KindShortcut, Name: "new"}, "shortcut"},
		"options":                {bot.Request{Kind: bot.KindOptions, Name: "pick"}, "options"},
		"an event":               {bot.Request{Kind: bot.KindEvent, Name: "app_home_opened"}, "home"},
		"an event nobody knows":  {bot.Request{Kind: bot.KindEvent, Name: "message"}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, bot.Reply{Body: tt.want}, r.Handle(t.Context(), tt.q))
		})
	}
}

func TestTwoHandlersOfOneNameAreABug(t *testing.T) {
	r := bot.NewRouter(nil)
	r.Command("/order", named("a"))
	assert.Panics(t, func() { r.Command("/order", named("b")) })
}

var (
	aCommand = bot.Request{Kind: bot.KindCommand, Name: "/order", ID: "1.2", User: "U1"}
	aSubmit  = bot.Request{Kind: bot.KindSubmit, Name: "new", View: &slack.View{}, ViewSummary: bot.ViewSummary{Input: "name"}}
)

var confirmed = regexp.MustCompile(`I could not confirm this\. Submitting again is safe\. Reference: ([0-9A-F]{6})\.`)

// everywhere registers h for all requests of these tests.
func everywhere(log *bytes.Buffer, h bot.HandlerFunc) *bot.Router {
	r := bot.NewRouter(slog.New(slog.NewTextHandler(log, nil)))
	r.Command("/order", h)
	r.Submit("new", h)
	r.Action("*", h)
	r.Options("*", h)
	r.Event("*", h)
	return r
}

func assertUnconfirmed(t *testing.T, r *bot.Router, log *bytes.Buffer) {
	t.Helper()
	body := mustJSON(t, r.Handle(t.Context(), aCommand).Body)
	assert.Contains(t, body, `"response_type":"ephemeral"`)
	ref := confirmed.FindStringSubmatch(body)
	require.NotNil(t, ref, body)
	assert.Contains(t, log.String(), "ref="+ref[1])

	body = mustJSON(t, r.Handle(t.Context(), aSubmit).Body)
	assert.Contains(t, body, `"response_action":"errors"`)
	assert.Contains(t, body, `{"name":"I could not confirm this.`)

	assert.Equal(t, bot.Ack(), r.Handle(t.Context(), bot.Request{Kind: bot.KindAction, Name: "a"}))
	assert.Equal(t, bot.Reply{Again: true}, r.Handle(t.Context(), bot.Request{Kind: bot.KindEvent, Name: "message"}))
	assert.JSONEq(t, `{"options":[]}`, mustJSON(t, r.Handle(t.Context(), bot.Request{Kind: bot.KindOptions, Name: "a"}).Body))
}

func TestAHandlerThatFailsCostsASentenceWithItsReference(t *testing.T) {
	var log bytes.Buffer
	r := everywhere(&log, func(context.Context, bot.Request) (bot.Reply, error) {
		return bot.Ephemeral("no"), errors.New("redis is away")
	})
	assertUnconfirmed(t, r, &log)
	assert.Contains(t, log.String(), "redis is away")
}

func TestAButtonThatCannotBeTakenIsToldAfterwards(t *testing.T) {
	told := make(chan string, 1)
	r := bot.NewRouter(nil)
	r.Unconfirmed(func(_ context.Context, q bot.Request, sentence string) { told <- q.User + ": " + sentence })
	r.Action("order:approve", func(context.Context, bot.Request) (bot.Reply, error) { return bot.Ack(), errors.New("redis is away") })
	assert.Equal(t, bot.Ack(), r.Handle(t.Context(), bot.Request{Kind: bot.KindAction, Name: "order:approve", User: "U1"}))
	assert.Contains(t, <-told, "U1: "+bot.Confirm)
}

func TestAHandlerThatPanicsCostsTheSameSentence(t *testing.T) {
	var log bytes.Buffer
	r := everywhere(&log, func(context.Context, bot.Request) (bot.Reply, error) { panic("nil map") })
	assertUnconfirmed(t, r, &log)
	assert.Contains(t, log.String(), "nil map")
	assert.Contains(t, log.String(), "router_test.go") // where
}

func TestAHandlerThatIsLateIsAnsweredForAtTwoAndAHalfSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ended := make(chan error, 16)
		r := everywhere(&log, func(ctx context.Context, _ bot.Request) (bot.Reply, error) {
			<-time.After(4 * time.Second) // whatever ctx says
			ended <- ctx.Err()
			return bot.Ephemeral("too late"), nil
		})
		began := time.Now()
		reply := r.Handle(t.Context(), aCommand)
		assert.Equal(t, 2500*time.Millisecond, time.Since(began))
		assert.Regexp(t, confirmed, mustJSON(t, reply.Body))
		require.NoError(t, r.Wait(t.Context()))
		assert.Equal(t, 4*time.Second, time.Since(began))
		require.ErrorIs(t, <-ended, context.DeadlineExceeded)

		assertUnconfirmed(t, r, &log)
		require.NoError(t, r.Wait(t.Context()))
	})
}

func TestAHandlerInTimeIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := bot.NewRouter(nil)
		r.Command("/order", func(context.Context, bot.Request) (bot.Reply, error) {
			<-time.After(2400 * time.Millisecond)
			return bot.Ephemeral("just so"), nil
		})
		assert.Contains(t, mustJSON(t, r.Handle(t.Context(), aCommand).Body), "just so")
	})
}

func TestSeveralActionsShareOneDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := bot.NewRouter(nil)
		r.Action("*", func(ctx context.Context, _ bot.Request) (bot.Reply, error) {
			<-ctx.Done()
			return bot.Ack(), nil
		})
		body := strings.Replace(clickBody, `"actions":[`, `"actions":[{"action_id":"a"},{"action_id":"b"},`, 1)
		began := time.Now()
		assert.Equal(t, 200, serve(bot.NewServer(secret, r, nil), signed(t, bot.PathInteractions, form, interactive(body))).Code)
		assert.Equal(t, 2500*time.Millisecond, time.Since(began))
	})
}

func TestLateHandlersKeepTheirPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var started atomic.Int32
		r := everywhere(&log, func(context.Context, bot.Request) (bot.Reply, error) {
			started.Add(1)
			<-time.After(time.Minute)
			return bot.Ack(), nil
		})
		r.LimitHandlers(1)
		r.Handle(t.Context(), aCommand) // late, and still running
		began := time.Now()
		assertUnconfirmed(t, r, &log)
		assert.Zero(t, time.Since(began), "a full house is told at once")
		assert.EqualValues(t, 1, started.Load())

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, r.Wait(ctx), context.DeadlineExceeded)
		require.NoError(t, r.Wait(t.Context()))
		r.Handle(t.Context(), aCommand)
		assert.EqualValues(t, 2, started.Load())
		require.NoError(t, r.Wait(t.Context()))
	})
}

func TestAFormThatFailsStaysOpenWhateverItsBlocks(t *testing.T) {
	r := bot.NewRouter(nil)
	r.Submit("*", func(context.Context, bot.Request) (bot.Reply, error) { return bot.Reply{}, errors.New("no") })
	views := map[string]*slack.View{
		"none": nil,
		"b":    {State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{"c": {}, "b": {}}}},
	}
	for block, v := range views {
		body := mustJSON(t, r.Handle(t.Context(), bot.Request{Kind: bot.KindSubmit, Name: "x", View: v}).Body)
		assert.Contains(t, body, `"errors":{"`+block+`":`)
	}
}

func TestRepliesAreWhatSlackReads(t *testing.T) {
	modal := slack.ModalViewRequest{Type: slack.VTModal, CallbackID: "new"}
	text := slack.NewTextBlockObject("plain_text", "One", false, false)
	tests := map[string]struct {
		reply bot.Reply
		want  string
	}{
		"errors":    {bot.Errors(map[string]string{"b": "No."}), `{"response_action":"errors","errors":{"b":"No."}}`},
		"update":    {bot.Update(modal), `{"response_action":"update","view":{"type":"modal","blocks":null,"callback_id":"new"}}`},
		"ephemeral": {bot.Ephemeral("Hi", slack.NewDividerBlock()), `{"response_type":"ephemeral","text":"Hi","blocks":[{"type":"divider"}]}`},
		"options":   {bot.Suggest(slack.NewOptionBlockObject("1", text, nil)), `{"options":[{"text":{"type":"plain_text","text":"One","emoji":false},"value":"1"}]}`},
	}
	for name, tt := range tests {
		assert.JSONEq(t, tt.want, mustJSON(t, tt.reply.Body), name)
	}
	assert.Nil(t, bot.Ack().Body)
}
