package bot_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"darkroom/bot"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Buffers are reused, so one request's data must not appear in another, however long a handler keeps it.
func TestRequestsAtOnceHearOnlyThemselves(t *testing.T) {
	var mu sync.Mutex
	heard := map[string]bot.Request{}
	router := bot.NewRouter(nil)
	keep := func(_ context.Context, q bot.Request) (bot.Reply, error) {
		mu.Lock()
		defer mu.Unlock()
		heard[q.ID] = q
		return bot.Ack(), nil
	}
	router.Command("/order", keep)
	router.Submit("*", keep)
	router.Event("*", keep)
	server := httptest.NewServer(bot.NewServer(secret, router, nil))
	defer server.Close()

	const senders, each = 8, 25
	var all sync.WaitGroup
	for sender := range senders {
		all.Go(func() {
			for n := range each {
				words := fmt.Sprintf("%03d-%03d %s", sender, n, strings.Repeat("x", 37*(n+sender)%3000))
				deliver(t, server.URL, bot.PathCommands, form, "command=%2Forder&user_id=U1&trigger_id=c"+words[:7]+"&text=say+"+strings.ReplaceAll(words, " ", "+"))
				deliver(t, server.URL, bot.PathInteractions, form, interactive(strings.NewReplacer("Smith", words, "77.ab", words).Replace(submitBody)))
				deliver(t, server.URL, bot.PathEvents, "application/json", strings.NewReplacer(`"hi"`, mustJSON(t, words), "Ev1", "Ev"+words).Replace(eventBody))
			}
		})
	}
	all.Wait()
	for id, q := range heard {
		switch q.Kind {
		case bot.KindCommand:
			require.Equal(t, id, "c"+q.Args[:7])
		case bot.KindSubmit:
			require.Equal(t, id, "V1:"+q.View.State.Values["name"]["name"].Value)
		case bot.KindEvent:
			require.Equal(t, id, "Ev"+q.Text)
			require.Contains(t, string(q.Event), mustJSON(t, q.Text))
		}
	}
	require.Len(t, heard, 3*senders*each)
}

func deliver(t *testing.T, server, path, contentType, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server+path, strings.NewReader(body))
	assert.NoError(t, err)
	timestamp, signature := sign(secret, time.Now(), body)
	r.Header = http.Header{"Content-Type": {contentType}, "X-Slack-Request-Timestamp": {timestamp}, "X-Slack-Signature": {signature}}
	w, err := http.DefaultClient.Do(r)
	if assert.NoError(t, err) {
		assert.Equal(t, http.StatusOK, w.StatusCode)
		_ = w.Body.Close()
	}
}

func TestAnInstantAnswerWaitsForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		router := instantly()
		router.LimitHandlers(1)
		router.Action("*", func(context.Context, bot.Request) (bot.Reply, error) {
			<-time.After(time.Minute)
			return bot.Ack(), nil
		})
		router.Handle(t.Context(), bot.Request{Kind: bot.KindAction, Name: "slow"}) // it has the only place
		ended, end := context.WithCancel(t.Context())
		end()
		began := time.Now()
		assert.Contains(t, mustJSON(t, router.Handle(ended, aCommand).Body), "help help")
		assert.Zero(t, time.Since(began))
		require.NoError(t, router.Wait(t.Context()))
	})
}

func TestWhatIsNotInstantGoesToItsHandler(t *testing.T) {
	router := bot.NewRouter(nil)
	router.Command("/order", named("handler"))
	router.Action("/order", named("button"))
	router.Instant("/order", func(q bot.Request) (bot.Reply, bool) { return bot.Reply{Body: "at once"}, q.Verb == "help" })
	assert.Equal(t, "at once", router.Handle(t.Context(), bot.Request{Kind: bot.KindCommand, Name: "/order", Verb: "help"}).Body)
	assert.Equal(t, "handler", router.Handle(t.Context(), bot.Request{Kind: bot.KindCommand, Name: "/order", Verb: "new"}).Body)
	assert.Equal(t, "button", router.Handle(t.Context(), bot.Request{Kind: bot.KindAction, Name: "/order", Verb: "help"}).Body)
	assert.Panics(t, func() { router.Instant("/order", func(bot.Request) (bot.Reply, bool) { return bot.Ack(), true }) })
}

func TestAnInstantAnswerThatPanicsCostsTheSameSentence(t *testing.T) {
	var log bytes.Buffer
	router := bot.NewRouter(slog.New(slog.NewTextHandler(&log, nil)))
	router.Instant("/order", func(bot.Request) (bot.Reply, bool) { panic("nil map") })
	assert.Regexp(t, confirmed, mustJSON(t, router.Handle(t.Context(), aCommand).Body))
	assert.Contains(t, log.String(), "nil map")
	assert.Contains(t, log.String(), "door_test.go")
}

// An answer that is encoded once is the same over both transports and has a Content-Length.
func TestAnEncodedAnswerIsTheSameByBothWays(t *testing.T) {
	says := bot.Ephemeral("hello <@U1> & you")
	router := bot.NewRouter(nil)
	router.Command("/order", acks)
	router.Instant("/order", func(bot.Request) (bot.Reply, bool) { return says.Encoded(), true })
	w := serve(bot.NewServer(secret, router, nil), signed(t, bot.PathCommands, form, commandBody))
	assert.JSONEq(t, mustJSON(t, says.Body), w.Body.String())
	assert.Equal(t, fmt.Sprint(w.Body.Len()), w.Header().Get("Content-Length"))
	assert.Equal(t, "application/json; charset=utf-8", w.Header().Get("Content-Type"))

	b := newSwitchboard(t)
	b.run(1, never, router)
	p := b.next()
	p.send(line("e1", "help"))
	assert.Equal(t, `{"envelope_id":"e1","payload":{"response_type":"ephemeral","text":"hello <@U1> & you"}}`, p.ack())

	assert.Equal(t, bot.Ack(), bot.Ack().Encoded())
	odd := bot.Reply{Body: make(chan int)}
	assert.Equal(t, odd, odd.Encoded(), "what cannot be written fails when it is")
}

func TestAnEncodedAnswerThatIsTooLargeForASocketIsCut(t *testing.T) {
	router := bot.NewRouter(nil)
	long := bot.Ephemeral("what matters", slack.NewSectionBlock(slack.NewTextBlockObject(slack.PlainTextType, strings.Repeat("x", 20480), false, false), nil, nil))
	router.Command("/order", acks)
	router.Instant("/order", func(bot.Request) (bot.Reply, bool) { return long.Encoded(), true })
	b := newSwitchboard(t)
	b.run(1, never, router)
	p := b.next()
	p.send(line("e", "help"))
	assert.Equal(t, `{"envelope_id":"e","payload":{"response_type":"ephemeral","text":"what matters"}}`, p.ack())
}

// Unused blocks of a form cost no allocations, however many there are.
func TestAHundredBlocksThatNobodyReadsAreNotBuilt(t *testing.T) {
	if build, _ := debug.ReadBuildInfo(); slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("memory is not measured with the race detector") // it empties pools at random
	}
	form := string(submittedForm(t, "plain/photos"))
	much := strings.Replace(form, `"blocks":[`, `"blocks":[`+strings.Repeat(`{"type":"section","block_id":"b","text":{"type":"mrkdwn","text":"words"}},`, 100), 1)
	allocated := func(payload string) float64 {
		return testing.AllocsPerRun(100, func() {
			_, err := bot.DecodeInteraction([]byte(payload), at)
			require.NoError(t, err)
		})
	}
	require.Greater(t, len(much), len(form)+5000)
	assert.InDelta(t, allocated(form), allocated(much), 1)
}
