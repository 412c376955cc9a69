package bot_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"darkroom/bot"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryKindOfEnvelopeIsAnsweredAsByHTTP(t *testing.T) {
	b := newSwitchboard(t)
	router := bot.NewRouter(nil)
	says := func(reply bot.Reply) bot.HandlerFunc {
		return func(context.Context, bot.Request) (bot.Reply, error) { return reply, nil }
	}
	router.Command("/order", says(bot.Ephemeral("hello <@U1>")))
	router.Submit("*", says(bot.Errors(map[string]string{"b": "no"})))
	router.Action("*", says(bot.Ack()))
	router.Options("*", says(bot.Suggest()))
	router.Event("*", says(bot.Ack()))
	b.run(1, never, router)
	p := b.next()
	const options = `{"type":"block_suggestion","user":{"id":"U1"},"action_id":"pick","value":"be"}`
	tests := map[string]struct{ envelope, want string }{
		"a command":   {line("e1", "x"), `{"envelope_id":"e1","payload":{"response_type":"ephemeral","text":"hello <@U1>"}}`},
		"a form":      {envelope("e2", "interactive", true, submitBody), `{"envelope_id":"e2","payload":{"response_action":"errors","errors":{"b":"no"}}}`},
		"a click":     {envelope("e3", "interactive", false, clickBody), `{"envelope_id":"e3"}`},
		"options":     {envelope("e4", "interactive", true, options), `{"envelope_id":"e4","payload":{"options":[]}}`},
		"an event":    {envelope("e5", "events_api", false, eventBody), `{"envelope_id":"e5"}`},
		"a new type":  {envelope("e6", "carrier_pigeon", false, `{}`), `{"envelope_id":"e6"}`},
		"a new click": {envelope("e7", "interactive", false, `{"type":"nod","user":{"id":"U1"}}`), `{"envelope_id":"e7"}`},
		"a bad event": {envelope("e8", "events_api", false, `{"type":"event_callback"}`), `{"envelope_id":"e8"}`},
		"an odd retry": {
			strings.Replace(line("e9", "x"), `"type"`, `"retry_attempt":{},"type"`, 1),
			`{"envelope_id":"e9","payload":{"response_type":"ephemeral","text":"hello <@U1>"}}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p.send(tt.envelope)
			assert.Equal(t, tt.want, p.ack())
		})
	}
}

func TestAnEnvelopeIsTheRequestItIsByHTTP(t *testing.T) {
	b := newSwitchboard(t)
	router, got := recorder(t)
	b.run(1, never, router)
	p := b.next()
	p.send(envelope("e1", "events_api", false, eventBody))
	p.ack()
	want, err := bot.DecodeEvent([]byte(eventBody), time.Now())
	require.NoError(t, err)
	assert.JSONEq(t, mustJSON(t, want), mustJSON(t, got()[0]))
	p.send(envelope("e2", "interactive", false, clickBody))
	p.ack()
	assert.Equal(t, one(t, clickBody).ID, got()[0].ID)
}

func TestWhatCannotBeReadIsNotAcknowledged(t *testing.T) {
	b := newSwitchboard(t)
	b.run(1, never, bot.NewRouter(nil))
	p := b.next()
	for _, bad := range []string{
		"", "{", "[]", `{"type":"interactive"}`, `{"envelope_id":"e"}`, strings.Repeat("[", 5000),
		envelope("e1", "interactive", false, `{"type":"view_submission","user":{"id":"U"},"response_url":"https://hooks/SECRET","view":7}`),
		envelope("e2", "slash_commands", false, `"SECRET"`),
	} {
		p.send(bad)
	}
	p.sendAs(websocket.BinaryMessage, "\x01")
	p.quiet(100 * time.Millisecond)
	p.send(line("e3", "x"))
	assert.Equal(t, `{"envelope_id":"e3"}`, p.ack(), "the connection goes on")
}

func TestAFailingHandlerTellsThePersonAndAsksForTheEventAgain(t *testing.T) {
	b := newSwitchboard(t)
	fail := func(context.Context, bot.Request) (bot.Reply, error) { return bot.Reply{}, errors.New("redis is away") }
	router := bot.NewRouter(nil)
	router.Command("/order", fail)
	router.Submit("*", fail)
	router.Event("*", fail)
	router.Action("*", func(context.Context, bot.Request) (bot.Reply, error) { return bot.Reply{Body: make(chan int)}, nil })
	b.run(1, never, router)
	p := b.next()
	p.send(line("e1", "x"))
	assert.Contains(t, p.ack(), bot.Confirm)
	p.send(envelope("e2", "interactive", true, submitBody))
	assert.Contains(t, p.ack(), bot.Confirm)
	p.send(envelope("e3", "events_api", false, eventBody))
	p.send(envelope("e4", "interactive", true, clickBody)) // an answer that is no JSON
	p.quiet(100 * time.Millisecond)
}

func TestAnAnswerGoesOnlyWhereSlackTakesOne(t *testing.T) {
	b := newSwitchboard(t)
	router := bot.NewRouter(nil)
	router.Command("/order", named("rest"))
	b.run(1, never, router)
	p := b.next()
	p.send(strings.Replace(line("e1", "x"), "true", "false", 1))
	assert.Equal(t, `{"envelope_id":"e1"}`, p.ack())
	assert.Contains(t, b.log.String(), "where Slack takes none")
}

func TestNoFrameIsLargerThanSlackTakes(t *testing.T) {
	const limit = 20480
	long := strings.Repeat("x", limit)
	text := func(s string) *slack.TextBlockObject {
		return slack.NewTextBlockObject(slack.PlainTextType, s, false, false)
	}
	var options []*slack.OptionBlockObject
	for i := range 100 {
		options = append(options, slack.NewOptionBlockObject(fmt.Sprint(i), text(strings.Repeat("ö", 150)), nil))
	}
	errs := map[string]string{}
	for i := range 20 {
		errs[fmt.Sprintf("b%02d", i)] = long[:2000]
	}
	exactly := func(n int) bot.Reply { // of a frame
		const around = `{"envelope_id":"e","payload":{"response_type":"ephemeral","text":""}}`
		return bot.Ephemeral(long[:n-len(around)])
	}
	tests := map[string]struct {
		reply bot.Reply
		want  func(is *assert.Assertions, frame string)
	}{
		"as large as can be": {exactly(limit - 1), func(is *assert.Assertions, frame string) { is.Len(frame, limit-1) }},
		"one more":           {exactly(limit), func(is *assert.Assertions, frame string) { is.Nil(field(t, frame, "payload")) }},
		"a large view": {bot.Update(slack.ModalViewRequest{Type: slack.VTModal, PrivateMetadata: long}), func(is *assert.Assertions, frame string) {
			is.Equal(`{"envelope_id":"e"}`, frame)
		}},
		"many options": {bot.Suggest(options...), func(is *assert.Assertions, frame string) {
			all := field(t, frame, "payload").(map[string]any)["options"].([]any)
			is.Greater(len(all), 40)
			is.Less(len(all), 100)
			is.Greater(len(frame), limit-500, "as many as fit")
		}},
		"many errors": {bot.Errors(errs), func(is *assert.Assertions, frame string) {
			is.Len(field(t, frame, "payload").(map[string]any)["errors"], 10)
		}},
		"one endless error": {bot.Errors(map[string]string{"b": long}), func(is *assert.Assertions, frame string) { is.Equal(`{"envelope_id":"e"}`, frame) }},
		"a message with a long picture": {bot.Ephemeral("what matters", slack.NewSectionBlock(text(long), nil, nil)), func(is *assert.Assertions, frame string) {
			is.Equal(`{"envelope_id":"e","payload":{"response_type":"ephemeral","text":"what matters"}}`, frame)
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := newSwitchboard(t)
			router := bot.NewRouter(nil)
			router.Command("/order", func(context.Context, bot.Request) (bot.Reply, error) { return tt.reply, nil })
			b.run(1, never, router)
			p := b.next()
			p.send(line("e", "x"))
			frame := p.ack()
			assert.Less(t, len(frame), limit)
			tt.want(assert.New(t), frame)
			assert.Equal(t, !strings.HasPrefix(name, "as large"), strings.Contains(b.log.String(), "too large for socket mode"))
		})
	}
}

func TestAFrameWithoutEndIsNotRead(t *testing.T) {
	b := newSwitchboard(t)
	router, _ := recorder(t)
	b.run(1, never, router)
	p := b.next()
	p.send(line("e1", strings.Repeat("x", 900_000)))
	assert.Equal(t, "e1", field(t, p.ack(), "envelope_id"))
	p.send(line("e2", strings.Repeat("x", 1<<20)))
	assert.Equal(t, websocket.CloseMessageTooBig, p.closed())
	b.next()
}
