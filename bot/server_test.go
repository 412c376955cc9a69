package bot_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"darkroom/bot"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	commandBody = "command=%2Forder&text=New+a&user_id=U1&team_id=T1&channel_id=C1&channel_name=general&trigger_id=13.37&response_url=https%3A%2F%2Fhooks.slack.com%2Fx"
	eventBody   = `{"type":"event_callback","team_id":"T1","event_id":"Ev1","event_time":1700000000,"event":{"type":"app_mention","user":"U1","channel":"C1","ts":"1.2","thread_ts":"1.1","text":"hi"}}`
	clickBody   = `{"type":"block_actions","trigger_id":"1.2.3","user":{"id":"U1","team_id":"T1"},"team":{"id":"T1"},"channel":{"id":"C1","name":"general"},"container":{"type":"message","message_ts":"5.6","channel_id":"C1"},"message":{"ts":"5.6","thread_ts":"5.5","text":"card"},"actions":[{"action_id":"order:approve","block_id":"b","value":"o1:r2"}]}`
	submitBody  = `{"type":"view_submission","trigger_id":"9.9","user":{"id":"U1"},"team":{"id":"T1"},"view":{"id":"V1","hash":"77.ab","callback_id":"new","external_id":"x","private_metadata":"{}","blocks":[{"type":"section","block_id":"s","text":{"type":"mrkdwn","text":"a"}},{"type":"input","block_id":"name","label":{"type":"plain_text","text":"Name"},"element":{"type":"plain_text_input","action_id":"name"}}],"state":{"values":{"name":{"name":{"type":"plain_text_input","value":"Smith"}}}}}}`
)

// recorder is a router that records its requests.
func recorder(t *testing.T) (*bot.Router, func() []bot.Request) {
	t.Helper()
	got := make(chan bot.Request, 64)
	keep := func(_ context.Context, q bot.Request) (bot.Reply, error) { got <- q; return bot.Ack(), nil }
	r := bot.NewRouter(nil)
	r.Command("/order", keep)
	for _, on := range []func(string, bot.HandlerFunc){r.Action, r.Submit, r.Close, r.Shortcut, r.Options, r.Event} {
		on("*", keep)
	}
	return r, func() (all []bot.Request) {
		for len(got) > 0 {
			all = append(all, <-got)
		}
		return all
	}
}

func serve(s http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func TestTheSignatureOfSlacksOwnExampleIsAccepted(t *testing.T) {
	const body = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
	synctest.Test(t, func(t *testing.T) {
		<-time.After(time.Until(time.Unix(1531420618, 0).Add(4 * time.Minute))) // a bubble's clock begins in 2000
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, bot.PathCommands, strings.NewReader(body))
		r.Header.Set("Content-Type", form)
		r.Header.Set("X-Slack-Request-Timestamp", "1531420618")
		r.Header.Set("X-Slack-Signature", "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503")
		router := bot.NewRouter(nil)
		var got bot.Request
		router.Command("/webhook-collect", func(_ context.Context, q bot.Request) (bot.Reply, error) { got = q; return bot.Ack(), nil })
		assert.Equal(t, http.StatusOK, serve(bot.NewServer(secret, router, nil), r).Code)
		assert.Equal(t, "398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c", got.ID)
		assert.Equal(t, int64(1531420618), got.At.Unix())
	})
}

func TestARequestThatIsNotSlacksDoesNothing(t *testing.T) {
	now := time.Now()
	tests := map[string]func(h http.Header){
		"no headers":          func(h http.Header) { h.Del("X-Slack-Signature"); h.Del("X-Slack-Request-Timestamp") },
		"no signature":        func(h http.Header) { h.Del("X-Slack-Signature") },
		"no timestamp":        func(h http.Header) { h.Del("X-Slack-Request-Timestamp") },
		"another version":     func(h http.Header) { h.Set("X-Slack-Signature", "v1"+h.Get("X-Slack-Signature")[2:]) },
		"not hex":             func(h http.Header) { h.Set("X-Slack-Signature", "v0="+strings.Repeat("zz", 32)) },
		"too short":           func(h http.Header) { h.Set("X-Slack-Signature", "v0=a2") },
		"of another secret":   func(h http.Header) { set(h, "other", now) },
		"six minutes old":     func(h http.Header) { set(h, secret, now.Add(-6*time.Minute)) },
		"six minutes ahead":   func(h http.Header) { set(h, secret, now.Add(6*time.Minute)) },
		"timestamp changed":   func(h http.Header) { h.Set("X-Slack-Request-Timestamp", "1"+h.Get("X-Slack-Request-Timestamp")) },
		"timestamp no number": func(h http.Header) { h.Set("X-Slack-Request-Timestamp", "now") },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			router, got := recorder(t)
			r := signed(t, bot.PathCommands, form, commandBody)
			spoil(r.Header)
			assert.Equal(t, http.StatusUnauthorized, serve(bot.NewServer(secret, router, nil), r).Code)
			assert.Empty(t, got())
		})
	}
	t.Run("no secret configured", func(t *testing.T) {
		router, got := recorder(t)
		r := signed(t, bot.PathCommands, form, commandBody)
		set(r.Header, "", now)
		assert.Equal(t, http.StatusUnauthorized, serve(bot.NewServer("", router, nil), r).Code)
		assert.Empty(t, got())
	})
}

// A signature covers the body but not the address. So anyone with a signed request could change the
// address.
func TestWhatStandsInTheAddressOfASignedRequestIsNotRead(t *testing.T) {
	router, got := recorder(t)
	server := bot.NewServer(secret, router, nil)
	for body, query := range map[string]string{
		commandBody:            strings.ReplaceAll(commandBody, "New+a", "approve+1"),
		interactive(clickBody): interactive(submitBody),
	} {
		require.Equal(t, http.StatusOK, serve(server, signed(t, bot.PathCommands, form, body)).Code)
		require.Equal(t, http.StatusOK, serve(server, signed(t, bot.PathCommands+"?"+query, form, body)).Code)
		asked := got()
		require.Len(t, asked, 2)
		for i := range asked {
			asked[i].At = time.Time{}
		}
		assert.Equal(t, asked[0], asked[1])
	}
	for _, query := range []string{commandBody, interactive(clickBody)} {
		serve(server, signed(t, bot.PathInteractions+"?"+query, form, "token=x"))
		assert.Empty(t, got(), "the body asks for nothing")
	}
}

func set(h http.Header, secret string, at time.Time) {
	timestamp, signature := sign(secret, at, commandBody)
	h.Set("X-Slack-Request-Timestamp", timestamp)
	h.Set("X-Slack-Signature", signature)
}

func TestEveryPathTakesEveryKind(t *testing.T) {
	kinds := map[bot.Kind][2]string{
		bot.KindCommand: {form, commandBody},
		bot.KindAction:  {form, interactive(clickBody)},
		bot.KindEvent:   {"application/json; charset=utf-8", eventBody},
	}
	for _, path := range []string{bot.PathCommands, bot.PathEvents, bot.PathInteractions} {
		for kind, c := range kinds {
			t.Run(path+" "+string(kind), func(t *testing.T) {
				router, got := recorder(t)
				w := serve(bot.NewServer(secret, router, nil), signed(t, path, c[0], c[1]))
				require.Equal(t, http.StatusOK, w.Code)
				assert.Empty(t, w.Body.String())
				all := got()
				require.Len(t, all, 1)
				assert.Equal(t, kind, all[0].Kind)
			})
		}
	}
}

func TestAMissingContentTypeIsGuessed(t *testing.T) {
	for _, body := range []string{commandBody, eventBody} {
		router, got := recorder(t)
		r := signed(t, bot.PathEvents, "", body)
		r.Header.Del("Content-Type")
		assert.Equal(t, http.StatusOK, serve(bot.NewServer(secret, router, nil), r).Code)
		assert.Len(t, got(), 1)
	}
}

func TestWhatCannotBeRoutedIsRefusedByItsStatus(t *testing.T) {
	tests := map[string]struct {
		path, contentType, body string
		want                    int
	}{
		"another path":             {"/slack/other", form, commandBody, 404},
		"json that is none":        {bot.PathEvents, "application/json", `{"type":`, 400},
		"json that is a list":      {bot.PathEvents, "application/json", `[]`, 400},
		"an event without type":    {bot.PathEvents, "application/json", `{}`, 400},
		"no inner event":           {bot.PathEvents, "application/json", `{"type":"event_callback","event_id":"E"}`, 400},
		"no challenge":             {bot.PathEvents, "application/json", `{"type":"url_verification"}`, 400},
		"nested without end":       {bot.PathEvents, "application/json", `{"type":"x","event":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}", 400},
		"nested too deep":          {bot.PathEvents, "application/json", `{"type":"x","event":` + strings.Repeat("[", 150) + strings.Repeat("]", 150) + "}", 400},
		"an empty form":            {bot.PathCommands, form, ``, 400},
		"a command without user":   {bot.PathCommands, form, `command=%2Forder`, 400},
		"a broken escape":          {bot.PathCommands, form, `command=%zz`, 400},
		"an empty payload":         {bot.PathInteractions, form, `payload=`, 400},
		"a payload without type":   {bot.PathInteractions, form, interactive(`{}`), 400},
		"a payload without user":   {bot.PathInteractions, form, interactive(`{"type":"shortcut"}`), 400},
		"a submission of no view":  {bot.PathInteractions, form, interactive(`{"type":"view_submission","user":{"id":"U"}}`), 400},
		"a view that is a number":  {bot.PathInteractions, form, interactive(`{"type":"view_submission","user":{"id":"U"},"view":7}`), 400},
		"a click on nothing":       {bot.PathInteractions, form, interactive(`{"type":"block_actions","user":{"id":"U"}}`), 400},
		"a foreign content type":   {bot.PathCommands, "text/xml", commandBody, 415},
		"a broken content type":    {bot.PathCommands, ";;", commandBody, 415},
		"an unknown interaction":   {bot.PathInteractions, form, interactive(`{"type":"function_executed"}`), 200},
		"an ssl check":             {bot.PathCommands, form, `ssl_check=1&token=x`, 200},
		"an outer event of limits": {bot.PathEvents, "application/json", `{"type":"app_rate_limited","team_id":"T1"}`, 200},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			router := bot.NewRouter(nil)
			assert.Equal(t, tt.want, serve(bot.NewServer(secret, router, nil), signed(t, tt.path, tt.contentType, tt.body)).Code)
		})
	}
}

func TestOnlyPOSTIsAllowed(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete} {
		r := signed(t, bot.PathEvents, "application/json", eventBody)
		r.Method = method
		w := serve(bot.NewServer(secret, bot.NewRouter(nil), nil), r)
		assert.Equal(t, http.StatusMethodNotAllowed, w.Code)
		assert.Equal(t, http.MethodPost, w.Header().Get("Allow"))
	}
}

func TestSizeIsCheckedBeforeTheSignature(t *testing.T) {
	router, got := recorder(t)
	server := bot.NewServer(secret, router, nil)
	large := `{"type":"event_callback","pad":"` + strings.Repeat("a", 1<<20) + `"}`
	known := signed(t, bot.PathEvents, "application/json", large)
	chunked := signed(t, bot.PathEvents, "application/json", large)
	chunked.ContentLength = -1
	forged := signed(t, bot.PathEvents, "application/json", large)
	forged.Header.Set("X-Slack-Signature", "v0="+strings.Repeat("0", 64))
	for _, r := range []*http.Request{known, chunked, forged} {
		assert.Equal(t, http.StatusRequestEntityTooLarge, serve(server, r).Code)
	}
	assert.Empty(t, got())
}

func TestTheSignatureIsCheckedBeforeTheContent(t *testing.T) {
	r := signed(t, bot.PathEvents, "application/json", "{")
	r.Header.Del("X-Slack-Signature")
	assert.Equal(t, http.StatusUnauthorized, serve(bot.NewServer(secret, bot.NewRouter(nil), nil), r).Code)
}

func TestABodyThatBreaksOffIsRefused(t *testing.T) {
	r := signed(t, bot.PathEvents, "application/json", eventBody)
	r.Body = http.NoBody
	assert.Equal(t, http.StatusUnauthorized, serve(bot.NewServer(secret, bot.NewRouter(nil), nil), r).Code)
	r = signed(t, bot.PathEvents, "application/json", eventBody)
	r.Body = brokenBody{}
	assert.Equal(t, http.StatusBadRequest, serve(bot.NewServer(secret, bot.NewRouter(nil), nil), r).Code)
}

type brokenBody struct{}

func (brokenBody) Read([]byte) (int, error) { return 0, errors.New("connection reset") }
func (brokenBody) Close() error             { return nil }

func TestASignedURLVerificationIsAnswered(t *testing.T) {
	body := `{"type":"url_verification","token":"x","challenge":"3eZbrw1aB<b>"}`
	w := serve(bot.NewServer(secret, bot.NewRouter(nil), nil), signed(t, bot.PathEvents, "application/json", body))
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, "3eZbrw1aB<b>", w.Body.String())
	assert.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"))

	r := signed(t, bot.PathEvents, "application/json", body)
	r.Header.Del("X-Slack-Signature")
	w = serve(bot.NewServer(secret, bot.NewRouter(nil), nil), r)
	assert.Equal(t, http.StatusUnauthorized, w.Code)
	assert.NotContains(t, w.Body.String(), "3eZbrw1a")
}

func TestAReplayHasTheSameIdentity(t *testing.T) {
	bodies := map[string][2]string{
		"command":            {form, commandBody},
		"command, nameless":  {form, "command=%2Forder&user_id=U1&text=a"},
		"action":             {form, interactive(clickBody)},
		"submit":             {form, interactive(submitBody)},
		"submit, no hash":    {form, interactive(strings.Replace(submitBody, `"hash":"77.ab",`, "", 1))},
		"close":              {form, interactive(strings.Replace(submitBody, "view_submission", "view_closed", 1))},
		"options":            {form, interactive(`{"type":"block_suggestion","action_id":"pick","block_id":"b","value":"sm","user":{"id":"U1"}}`)},
		"shortcut":           {form, interactive(`{"type":"shortcut","callback_id":"new","trigger_id":"7.7","user":{"id":"U1","team_id":"T1"}}`)},
		"event":              {"application/json", eventBody},
		"event without name": {"application/json", `{"type":"event_callback","event":{"type":"team_join","user":{"id":"U9"}}}`},
	}
	seen := map[string]string{}
	for name, b := range bodies {
		router, got := recorder(t)
		server := bot.NewServer(secret, router, nil)
		for range 2 {
			require.Equal(t, http.StatusOK, serve(server, signed(t, bot.PathEvents, b[0], b[1])).Code, name)
		}
		all := got()
		require.Len(t, all, 2, name)
		assert.NotEmpty(t, all[0].ID, name)
		assert.Equal(t, all[0].ID, all[1].ID, name)
		assert.Empty(t, seen[all[0].ID], "%s has the identity of another", name)
		seen[all[0].ID] = name
	}
}

func TestSlacksRetriesKeepTheirIdentity(t *testing.T) {
	router, got := recorder(t)
	server := bot.NewServer(secret, router, nil)
	r := signed(t, bot.PathEvents, "application/json", eventBody)
	r.Header.Set("X-Slack-Retry-Num", "2")
	r.Header.Set("X-Slack-Retry-Reason", "http_timeout")
	serve(server, r)
	serve(server, signed(t, bot.PathEvents, "application/json", eventBody))
	all := got()
	require.Len(t, all, 2)
	assert.Equal(t, "Ev1", all[0].ID)
	assert.Equal(t, all[0].ID, all[1].ID)
	assert.Equal(t, all[0].At, all[1].At)
}

func TestAnEventThatFailsIsAskedForAgain(t *testing.T) {
	router := bot.NewRouter(nil)
	router.Event("app_mention", func(context.Context, bot.Request) (bot.Reply, error) { return bot.Reply{}, errors.New("redis is away") })
	w := serve(bot.NewServer(secret, router, nil), signed(t, bot.PathEvents, "application/json", eventBody))
	assert.Equal(t, http.StatusServiceUnavailable, w.Code)
	assert.Empty(t, w.Header().Get("X-Slack-No-Retry"))
}

func TestTheAnswerOfAHandlerIsWritten(t *testing.T) {
	router := bot.NewRouter(nil)
	router.Command("/order", func(context.Context, bot.Request) (bot.Reply, error) { return bot.Ephemeral("Hello."), nil })
	w := serve(bot.NewServer(secret, router, nil), signed(t, bot.PathCommands, form, commandBody))
	assert.JSONEq(t, `{"response_type":"ephemeral","text":"Hello."}`, w.Body.String())
	assert.Equal(t, "application/json; charset=utf-8", w.Header().Get("Content-Type"))
}

func TestAnAnswerThatCannotBeWrittenIsNotSuccess(t *testing.T) {
	router := bot.NewRouter(nil)
	router.Submit("new", func(context.Context, bot.Request) (bot.Reply, error) { return bot.Reply{Body: make(chan int)}, nil })
	w := serve(bot.NewServer(secret, router, nil), signed(t, bot.PathInteractions, form, interactive(submitBody)))
	assert.Equal(t, http.StatusInternalServerError, w.Code) // a 200 would close the form
}

func TestAClickCountsThoughItsConnectionBroke(t *testing.T) {
	router := bot.NewRouter(nil)
	var during error
	router.Command("/order", func(ctx context.Context, _ bot.Request) (bot.Reply, error) { during = ctx.Err(); return bot.Ack(), nil })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := serve(bot.NewServer(secret, router, nil), signed(t, bot.PathCommands, form, commandBody).WithContext(ctx))
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Empty(t, w.Body.String(), "the handler's own answer")
	assert.NoError(t, during)
}

func TestTheLogOfARefusalHasNoPayload(t *testing.T) {
	var log bytes.Buffer
	body := url.Values{"payload": {`{"type":"view_submission","user":{"id":"U"},"response_url":"https://hooks.slack.com/SECRET","view":7}`}}.Encode()
	server := bot.NewServer(secret, bot.NewRouter(nil), slog.New(slog.NewJSONHandler(&log, nil)))
	assert.Equal(t, http.StatusBadRequest, serve(server, signed(t, bot.PathInteractions, form, body)).Code)
	assert.Contains(t, log.String(), "request refused")
	assert.NotContains(t, log.String(), "SECRET")
	assert.NotContains(t, log.String(), secret)
}

func TestAnEventThatNamesAChallengeIsAnEvent(t *testing.T) {
	router, got := recorder(t)
	body := strings.Replace(eventBody, `"team_id"`, `"challenge":"x","team_id"`, 1)
	w := serve(bot.NewServer(secret, router, nil), signed(t, bot.PathEvents, "application/json", body))
	assert.Empty(t, w.Body.String())
	assert.Len(t, got(), 1)
}
