package bot_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"darkroom/bot"
	"darkroom/bot/client"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const never = time.Minute

func TestSeveralConnectionsAreHeldAtOnce(t *testing.T) {
	b := newSwitchboard(t)
	router, _ := recorder(t)
	s := b.run(0, never, router)
	first, second := b.next(), b.next()
	b.none(50 * time.Millisecond)
	first.send(line("e1", "x"))
	second.send(line("e2", "x"))
	assert.Equal(t, "e1", field(t, first.ack(), "envelope_id"), "on the connection it came by")
	assert.Equal(t, "e2", field(t, second.ack(), "envelope_id"))
	assert.Contains(t, b.log.String(), `"num_connections":1`)
	first.drop()
	assert.True(t, s.Connected(), "by the other")
	b.next()
}

func TestARefreshLosesNothing(t *testing.T) {
	for _, reason := range []string{"warning", "refresh_requested", "a new reason"} {
		t.Run(reason, func(t *testing.T) {
			b := newSwitchboard(t)
			held := make(chan struct{})
			router := bot.NewRouter(nil)
			router.Command("/order", func(_ context.Context, q bot.Request) (bot.Reply, error) {
				if q.Verb == "slow" {
					<-held
				}
				return bot.Ack(), nil
			})
			s := b.run(1, never, router)
			old := b.next()
			old.send(line("e1", "slow"))
			old.send(fmt.Sprintf(`{"type":"disconnect","reason":%q}`, reason))
			next := b.next()
			old.send(line("e2", "late")) // Slack may still use it
			assert.Equal(t, "e2", field(t, old.ack(), "envelope_id"))
			next.send(line("e3", "x"))
			assert.Equal(t, "e3", field(t, next.ack(), "envelope_id"))
			close(held)
			assert.Equal(t, "e1", field(t, old.ack(), "envelope_id"), "on the connection it came by")
			assert.Equal(t, websocket.CloseNormalClosure, old.closed())
			assert.True(t, s.Connected())
			next.quiet(20 * time.Millisecond)
			b.none(20 * time.Millisecond)
		})
	}
}

func TestTheOldConnectionStaysUntilTheNewOneIsGreeted(t *testing.T) {
	t.Parallel()
	b := newSwitchboard(t)
	router, _ := recorder(t)
	s := b.run(1, never, router)
	old := b.next()
	var allowed atomic.Bool
	b.mu.Lock()
	b.open = func(int) (int, string) {
		if allowed.Load() {
			return 200, ""
		}
		return 500, "<html>"
	}
	b.mu.Unlock()
	old.send(`{"type":"disconnect","reason":"refresh_requested"}`)
	require.Eventually(t, func() bool { return b.asks() > 8 }, patience, time.Millisecond)
	old.send(line("e1", "x"))
	assert.Equal(t, "e1", field(t, old.ack(), "envelope_id"))
	assert.True(t, s.Connected())
	allowed.Store(true)
	b.next()
	old.closed()
}

func TestADroppedConnectionIsDialledAgainAndItsEnvelopeIsOneRequest(t *testing.T) {
	b := newSwitchboard(t)
	began, held := make(chan string, 2), make(chan struct{})
	router := bot.NewRouter(nil)
	router.Command("/order", func(_ context.Context, q bot.Request) (bot.Reply, error) {
		began <- q.ID
		<-held
		return bot.Ack(), nil
	})
	s := b.run(1, never, router)
	p := b.next()
	p.send(line("e1", "x"))
	first := <-began
	p.drop() // before the ack
	next := b.next()
	close(held)
	require.Eventually(t, func() bool { return strings.Contains(b.log.String(), "answer not delivered") }, patience, time.Millisecond, b.log)
	assert.Contains(t, b.log.String(), `"envelope":"e1"`)
	next.send(line("e1", "x")) // Slack delivers again
	assert.Equal(t, first, <-began, "the same identity")
	assert.Equal(t, "e1", field(t, next.ack(), "envelope_id"))
	assert.True(t, s.Connected())
}

func TestRedialsBackOff(t *testing.T) {
	b := newSwitchboard(t)
	b.open = func(n int) (int, string) {
		if n <= 5 {
			return 503, ""
		}
		return 200, ""
	}
	s := b.run(1, never, bot.NewRouter(nil))
	assert.False(t, s.Connected())
	b.next()
	assert.Equal(t, 6, b.asks())
	b.mu.Lock()
	defer b.mu.Unlock()
	assert.Greater(t, b.asked[5].Sub(b.asked[0]), 30*time.Millisecond) // of at least 5+7+11+17+25
}

func TestARateLimitOnConnectionsIsKept(t *testing.T) {
	t.Parallel()
	b := newSwitchboard(t)
	b.open = func(n int) (int, string) {
		if n == 1 {
			return 429, `{"ok":false,"error":"ratelimited"}`
		}
		return 200, ""
	}
	b.run(1, never, bot.NewRouter(nil))
	b.next()
	require.Equal(t, 2, b.asks())
	assert.GreaterOrEqual(t, b.asked[1].Sub(b.asked[0]), time.Second)
}

func TestATokenThatIsRefusedEndsIt(t *testing.T) {
	tests := map[string]struct {
		answer string
		want   error
	}{
		"wrong":          {`{"ok":false,"error":"invalid_auth"}`, client.ErrToken},
		"revoked":        {`{"ok":false,"error":"token_revoked"}`, client.ErrToken},
		"a bot's token":  {`{"ok":false,"error":"not_allowed_token_type"}`, client.ErrToken},
		"without scopes": {`{"ok":false,"error":"missing_scope","needed":"connections:write"}`, client.ErrMissingScope},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := newSwitchboard(t)
			b.open = func(n int) (int, string) {
				if n == 1 {
					return 200, "" // another connection is up already
				}
				return 200, tt.answer
			}
			s := b.run(2, never, bot.NewRouter(nil))
			err := s.end(t)
			refused, ok := errors.AsType[*client.Error](err)
			require.True(t, ok)
			assert.Equal(t, []error{tt.want}, refused.Class)
			assert.NotContains(t, err.Error(), appToken)
			assert.False(t, s.Connected())
		})
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (t roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func TestAnAddressThatIsNotSafeIsNotCalled(t *testing.T) {
	b := newSwitchboard(t)
	b.open = func(n int) (int, string) {
		return 200, []string{`{"ok":true}`, `{"ok":true,"url":"http://x/SECRET"}`, `{"ok":true,"url":"ws://127.0.0.1:1/SECRET"}`, `{"ok":true,"url":"wss://%zz/SECRET"}`, ""}[min(n, 5)-1]
	}
	b.run(1, never, bot.NewRouter(nil))
	b.next()
	assert.Equal(t, 5, b.asks())

	asked := make(chan string, 8)
	safe := bot.NewSocket(bot.SocketConfig{AppToken: appToken, Router: bot.NewRouter(nil)})
	safe.Hold(1)
	safe.Over(roundTrip(func(r *http.Request) (*http.Response, error) {
		asked <- r.URL.Scheme + "://" + r.URL.Host + r.URL.Path
		w := &http.Response{StatusCode: 200, Header: http.Header{}, Request: r}
		w.Body = http.NoBody
		if r.URL.Host == "slack.com" {
			w.Body = readAll(`{"ok":true,"url":"ws://wss.slack.com/link"}`)
		}
		return w, nil
	}))
	safe.Hurry(never)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.NoError(t, safe.Run(ctx))
	for len(asked) > 0 {
		assert.Equal(t, "https://slack.com/api/apps.connections.open", <-asked, "no ticket goes out in the clear")
	}
}

func TestASilentConnectionIsReplaced(t *testing.T) {
	t.Parallel()
	b := newSwitchboard(t)
	b.mute = true
	router, _ := recorder(t)
	b.run(1, 200*time.Millisecond, router)
	p := b.next()
	for range 10 { // longer than the silence, with pings
		p.ping()
		p.quiet(40 * time.Millisecond)
	}
	select {
	case <-b.peers:
		require.FailNow(t, "replaced though Slack pings")
	default:
	}
	b.next()
	p.closed()
	assert.Contains(t, b.log.String(), "nothing heard from slack")
}

func TestAConnectionWithoutHelloIsNone(t *testing.T) {
	t.Parallel()
	b := newSwitchboard(t)
	b.silent = true
	s := b.run(1, 100*time.Millisecond, bot.NewRouter(nil))
	first := b.next()
	assert.False(t, s.Connected())
	b.mu.Lock()
	b.silent = false
	b.mu.Unlock()
	first.closed()
	b.next()
	require.Eventually(t, s.Connected, patience, time.Millisecond)
}

func TestSocketModeSwitchedOffIsToldAndTriedSlowly(t *testing.T) {
	for reason, says := range map[string]string{"link_disabled": "socket mode is switched off", "too_many_websockets": "no more connections"} {
		t.Run(reason, func(t *testing.T) {
			b := newSwitchboard(t)
			b.run(1, never, bot.NewRouter(nil))
			p, began := b.next(), time.Now()
			p.send(fmt.Sprintf(`{"type":"disconnect","reason":%q}`, reason))
			b.next()
			assert.GreaterOrEqual(t, time.Since(began), 90*time.Millisecond)
			assert.Contains(t, b.log.String(), says)
		})
	}
}

func TestTheEndAnswersWhatIsInHandAndTakesNothingNew(t *testing.T) {
	b := newSwitchboard(t)
	began, held := make(chan context.Context, 2), make(chan struct{})
	router := bot.NewRouter(nil)
	router.Command("/order", func(ctx context.Context, _ bot.Request) (bot.Reply, error) {
		began <- ctx
		<-held
		return bot.Ack(), nil
	})
	s := b.run(1, never, router)
	p := b.next()
	p.send(line("e1", "x"))
	ctx := <-began
	s.stop()
	p.quiet(50 * time.Millisecond)
	assert.NoError(t, ctx.Err(), "a click counts though the app ends")
	p.send(line("e2", "x"))
	p.quiet(50 * time.Millisecond)
	close(held)
	assert.Equal(t, "e1", field(t, p.ack(), "envelope_id"))
	assert.Equal(t, websocket.CloseNormalClosure, p.closed())
	assert.Empty(t, p.acks)
	assert.Empty(t, began, "e2 is for another replica")
	require.NoError(t, s.end(t))
	assert.False(t, s.Connected())
}

func TestASlackThatTakesNoLeaveDoesNotHoldUpTheEnd(t *testing.T) {
	t.Parallel()
	b := newSwitchboard(t)
	b.deaf = true
	s := b.run(2, never, bot.NewRouter(nil))
	first, second := b.next(), b.next()
	require.Eventually(t, s.Connected, patience, time.Millisecond)
	s.stop()
	require.NoError(t, s.end(t))
	first.once.Do(func() { close(first.gone) })
	second.once.Do(func() { close(second.gone) })
}

func TestAnOldConnectionThatSlackClosesIsLetGo(t *testing.T) {
	b := newSwitchboard(t)
	router, _ := recorder(t)
	s := b.run(1, never, router)
	old := b.next()
	old.quiet(30 * time.Millisecond) // a good while: the next is dialled at once
	old.send(`{"type":"disconnect","reason":"warning"}`)
	next := b.next()
	old.drop()
	old.closed()
	next.send(line("e1", "x"))
	next.ack()
	assert.True(t, s.Connected())
	assert.Contains(t, b.log.String(), "slack asks for a new connection")
	assert.NotContains(t, b.log.String(), "lost")
}

func TestAFloodIsAnsweredWithoutWaiting(t *testing.T) {
	b := newSwitchboard(t)
	held := make(chan struct{})
	var running, most atomic.Int32
	router := bot.NewRouter(nil)
	router.LimitHandlers(8)
	router.Command("/order", func(context.Context, bot.Request) (bot.Reply, error) {
		now := running.Add(1)
		defer running.Add(-1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		<-held
		return bot.Ack(), nil
	})
	b.run(1, never, router)
	p := b.next()
	for i := range 200 {
		p.send(line(fmt.Sprint("e", i), "x"))
	}
	for range 192 {
		assert.Contains(t, p.ack(), bot.Confirm)
	}
	close(held)
	for range 8 {
		assert.NotContains(t, p.ack(), bot.Confirm)
	}
	assert.Equal(t, int32(8), most.Load())
}
