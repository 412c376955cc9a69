package bot_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"darkroom/bot"

	"github.com/stretchr/testify/require"
)

// knock is one request that is sent repeatedly, without a connection's cost.
type knock struct {
	request *http.Request
	body    *bytes.Reader
	answer  silent
}

func newKnock(tb testing.TB, path, body string) *knock {
	tb.Helper()
	k := &knock{request: httptest.NewRequestWithContext(tb.Context(), http.MethodPost, path, nil), body: bytes.NewReader([]byte(body))}
	k.request.Body, k.request.ContentLength = io.NopCloser(k.body), int64(len(body))
	k.request.Header.Set("Content-Type", form)
	timestamp, signature := sign(secret, time.Now(), body)
	k.request.Header.Set("X-Slack-Request-Timestamp", timestamp)
	k.request.Header.Set("X-Slack-Signature", signature)
	k.answer.header = http.Header{}
	return k
}

// at sends it, and fails unless the answer is a 200.
func (k *knock) at(tb testing.TB, door http.Handler) {
	tb.Helper()
	_, _ = k.body.Seek(0, io.SeekStart)
	k.answer.status = http.StatusOK
	door.ServeHTTP(&k.answer, k.request)
	if k.answer.status != http.StatusOK {
		tb.Fatal(k.answer.status)
	}
}

// silent is a response writer that discards everything.
type silent struct {
	header http.Header
	status int
	wrote  int
}

func (w *silent) Header() http.Header         { return w.header }
func (w *silent) WriteHeader(status int)      { w.status = status }
func (w *silent) Write(p []byte) (int, error) { w.wrote = len(p); return len(p), nil }

func acks(context.Context, bot.Request) (bot.Reply, error) { return bot.Ack(), nil }

// BenchmarkDoorSubmit measures a submitted order form of some 12 kB, from the first byte to a handler that
// does nothing.
func BenchmarkDoorSubmit(b *testing.B) {
	b.ReportAllocs()
	router := bot.NewRouter(nil)
	router.Submit("*", acks)
	server := bot.NewServer(secret, router, nil)
	k := newKnock(b, bot.PathInteractions, interactive(string(submittedForm(b, "plain/photos"))))
	b.SetBytes(k.request.ContentLength)
	for b.Loop() {
		k.at(b, server)
	}
}

// BenchmarkDoorDecode measures only the decoding of that form.
func BenchmarkDoorDecode(b *testing.B) {
	b.ReportAllocs()
	payload := submittedForm(b, "plain/photos")
	b.SetBytes(int64(len(payload)))
	for b.Loop() {
		if _, err := bot.DecodeInteraction(payload, at); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDoorHelp measures a command with an instant answer, from the first byte to the last.
func BenchmarkDoorHelp(b *testing.B) {
	b.ReportAllocs()
	server := bot.NewServer(secret, instantly(), nil)
	k := newKnock(b, bot.PathCommands, commandBody)
	for b.Loop() {
		k.at(b, server)
	}
	require.NotZero(b, k.answer.wrote)
}

// instantly is a router with an instant answer of two kilobytes.
func instantly() *bot.Router {
	router := bot.NewRouter(nil)
	router.Command("/order", acks)
	says := bot.Ephemeral(string(bytes.Repeat([]byte("help "), 400))).Encoded()
	router.Instant("/order", func(bot.Request) (bot.Reply, bool) { return says, true })
	return router
}

// BenchmarkDoorCommand measures a command with an empty handler: the cost of the deadline.
func BenchmarkDoorCommand(b *testing.B) {
	b.ReportAllocs()
	router := bot.NewRouter(nil)
	router.Command("/order", acks)
	server := bot.NewServer(secret, router, nil)
	k := newKnock(b, bot.PathCommands, commandBody)
	for b.Loop() {
		k.at(b, server)
	}
}

// BenchmarkSignature measures the check of a signature over 12 kB.
func BenchmarkSignature(b *testing.B) {
	b.ReportAllocs()
	server := bot.NewServer(secret, bot.NewRouter(nil), nil)
	body := bytes.Repeat([]byte("a"), 12<<10)
	headers := newKnock(b, bot.PathEvents, string(body)).request.Header
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if err := server.Verify(b.Context(), headers, body); err != nil {
			b.Fatal(err)
		}
	}
}
