package bot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"darkroom/bot"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	appToken = "xapp-1-SECRETAPPTOKEN"
	ticket   = "SECRETTICKET"
	patience = 5 * time.Second
)

// switchboard is Slack's side of Socket Mode. It uses another WebSocket library than the bot, so that both
// do not share a mistake.
type switchboard struct {
	*httptest.Server
	t     *testing.T
	log   *logBook
	peers chan *peer // connections taken, in their order

	mu     sync.Mutex
	open   func(n int) (status int, body string) // nil = an address
	asked  []time.Time
	silent bool // no hello
	deaf   bool // reads nothing, and so takes no leave
	mute   bool // answers no pings
}

func newSwitchboard(t *testing.T) *switchboard {
	t.Helper()
	b := &switchboard{t: t, peers: make(chan *peer, 32), log: &logBook{}}
	b.Server = httptest.NewServer(b)
	t.Cleanup(b.Close)
	return b
}

func (b *switchboard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/proxy/api/apps.connections.open":
		b.answer(w, r)
	case "/link":
		b.connect(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (b *switchboard) answer(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	assert.Equal(b.t, "Bearer "+appToken, r.Header.Get("Authorization"))
	assert.NotContains(b.t, r.URL.String()+string(body), appToken)
	b.mu.Lock()
	b.asked = append(b.asked, time.Now())
	n, open := len(b.asked), b.open
	b.mu.Unlock()
	status, text := 200, ""
	if open != nil {
		status, text = open(n)
	}
	if text == "" {
		text = fmt.Sprintf(`{"ok":true,"url":"ws%s/link?ticket=%s"}`, strings.TrimPrefix(b.URL, "http"), ticket)
	}
	if status == 429 {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

func (b *switchboard) connect(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("ticket") != ticket {
		http.Error(w, "no ticket", http.StatusForbidden)
		return
	}
	ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		return // it hung up
	}
	p := &peer{t: b.t, ws: ws, acks: make(chan string, 600), pongs: make(chan struct{}, 1), gone: make(chan struct{})}
	ws.SetPongHandler(func(string) error { p.pongs <- struct{}{}; return nil })
	b.mu.Lock()
	silent, deaf, mute := b.silent, b.deaf, b.mute
	b.mu.Unlock()
	if mute {
		ws.SetPingHandler(func(string) error { return nil })
	}
	if !silent {
		p.send(`{"type":"hello","num_connections":1,"connection_info":{"app_id":"A1"},"debug_info":{"approximate_connection_time":18060}}`)
	}
	b.peers <- p
	if deaf {
		<-p.gone
	}
	p.listen()
}

func (b *switchboard) asks() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.asked)
}

// next returns the next accepted connection.
func (b *switchboard) next() *peer {
	b.t.Helper()
	select {
	case p := <-b.peers:
		return p
	case <-time.After(patience):
		require.FailNow(b.t, "nobody calls", b.log.String())
		return nil
	}
}

// none checks that nobody connects for a while.
func (b *switchboard) none(while time.Duration) {
	b.t.Helper()
	select {
	case <-b.peers:
		require.FailNow(b.t, "another connection")
	case <-time.After(while):
	}
}

// peer is Slack's side of one connection.
type peer struct {
	t     *testing.T
	ws    *websocket.Conn
	write sync.Mutex
	acks  chan string
	pongs chan struct{}
	gone  chan struct{}
	once  sync.Once // closes gone
	code  int       // of the close, once gone
}

func (p *peer) listen() {
	defer p.once.Do(func() { close(p.gone) })
	for {
		kind, data, err := p.ws.ReadMessage()
		if err != nil {
			if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
				p.code = closed.Code
			}
			_ = p.ws.Close()
			return
		}
		assert.Equal(p.t, websocket.TextMessage, kind)
		p.acks <- string(data)
	}
}

func (p *peer) send(frame string) { p.sendAs(websocket.TextMessage, frame) }

// sendAs sends a frame. A broken connection shows in its acknowledgements.
func (p *peer) sendAs(kind int, frame string) {
	p.write.Lock()
	defer p.write.Unlock()
	_ = p.ws.WriteMessage(kind, []byte(frame))
}

func (p *peer) ping() {
	assert.NoError(p.t, p.ws.WriteControl(websocket.PingMessage, []byte("Ping from applink-1"), time.Now().Add(patience)))
	select {
	case <-p.pongs:
	case <-time.After(patience):
		assert.Fail(p.t, "no pong")
	}
}

// drop closes the connection without a close frame.
func (p *peer) drop() { _ = p.ws.Close() }

// ack returns the next acknowledgement.
func (p *peer) ack() string {
	p.t.Helper()
	select {
	case a := <-p.acks:
		return a
	case <-time.After(patience):
		require.FailNow(p.t, "no acknowledgement")
		return ""
	}
}

func (p *peer) quiet(while time.Duration) {
	p.t.Helper()
	select {
	case a := <-p.acks:
		require.FailNow(p.t, "acknowledged", a)
	case <-time.After(while):
	}
}

// closed waits for the end of the connection and returns the code it was closed with.
func (p *peer) closed() int {
	p.t.Helper()
	select {
	case <-p.gone:
		return p.code
	case <-time.After(patience):
		require.FailNow(p.t, "still connected")
		return 0
	}
}

func envelope(id, kind string, accepts bool, payload string) string {
	return fmt.Sprintf(`{"envelope_id":%q,"type":%q,"accepts_response_payload":%t,"payload":%s}`, id, kind, accepts, payload)
}

func line(id, text string) string {
	return envelope(id, "slash_commands", true, fmt.Sprintf(`{"command":"/order","text":%q,"user_id":"U1","team_id":"T1","trigger_id":"t-%s"}`, text, id))
}

// logBook records the log and checks that it has no secrets.
type logBook struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *logBook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// running is a running Socket.
type running struct {
	*bot.Socket
	stop func()
	err  chan error
}

// run starts a Socket with a number of connections, 0 for the default. silent is how long it waits for
// activity.
func (b *switchboard) run(connections int, silent time.Duration, router *bot.Router) *running {
	b.t.Helper()
	s := bot.NewSocket(bot.SocketConfig{
		AppToken: appToken, APIURL: b.URL + "/proxy/api", Router: router,
		Log: slog.New(slog.NewJSONHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	s.Hurry(silent)
	if connections > 0 {
		s.Hold(connections)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{Socket: s, stop: cancel, err: make(chan error, 1)}
	go func() { r.err <- s.Run(ctx) }()
	b.t.Cleanup(func() {
		cancel()
		_ = r.end(b.t) // a test that expects one looks
		for _, secret := range []string{appToken, ticket, "SECRET", "ws://", "http://"} {
			assert.NotContains(b.t, b.log.String(), secret)
		}
	})
	return r
}

// end waits for Run's end.
func (r *running) end(t *testing.T) error {
	t.Helper()
	select {
	case err := <-r.err:
		r.err <- err
		return err
	case <-time.After(2 * patience):
		require.FailNow(t, "still running")
		return nil
	}
}

func field(t *testing.T, frame, name string) any {
	t.Helper()
	var all map[string]any
	require.NoError(t, json.Unmarshal([]byte(frame), &all), frame)
	return all[name]
}

func readAll(text string) io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }
