package photos_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func TestFaultsSayOneThingAndDoAnother(t *testing.T) {
	g := gallery(t)
	tests := map[string]struct {
		fault  photos.Fault
		placed int // orders afterwards
		check  func(*testing.T, reply)
	}{
		"reset_before_commit": {photos.ResetBeforeCommit(), 0, wasReset},
		"reset_after_commit":  {photos.ResetAfterCommit(), 1, wasReset},
		"error_500":           {photos.Error500(), 0, answered(500, `{"errors":["internal server error"]}`)},
		"error_500_after_commit": {
			photos.Error500AfterCommit(), 1, answered(500, `{"errors":["internal server error"]}`),
		},
		"vague":              {photos.Vague("unknown error in order lookup"), 0, answered(500, `{"errors":["unknown error in order lookup"]}`)},
		"vague_after_commit": {photos.VagueAfterCommit("a", "b"), 1, answered(500, `{"errors":["a","b"]}`)},
		"refuses":            {photos.Refuses("not today"), 0, answered(200, `{"errors":["not today"]}`)},
		"html":               {photos.HTML(), 0, answered(502, "<h1>Bad Gateway</h1>")},
		"html_after_commit":  {photos.HTMLAfterCommit(), 1, answered(200, "<h1>Thank You</h1>")},
		"truncated":          {photos.Truncated(), 1, wasTruncated},
		"too_many":           {photos.TooMany(7 * time.Second), 0, answered(429, "too many requests")},
		"slow":               {photos.Slow(time.Millisecond), 1, answered(200, `"errors":[]`)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := start(t, photos.Options{})
			c.service.Misbehave(photos.Create, test.fault, 1)
			c.get("/orders", nil)
			test.check(t, c.post("/orders/create", newOrder(g+"/album/beach.jpg")))
			assert.Len(t, c.service.Orders(), test.placed)
			assert.Equal(t, int64(100-test.placed), c.service.Credits().IntPart())
			c.post("/orders/create", newOrder(g+"/album/beach.jpg")).order(t)
			log := c.service.Requests()
			assert.Equal(t, []string{"", name, ""}, []string{log[0].Fault, log[1].Fault, log[2].Fault})
		})
	}
}

func wasReset(t *testing.T, r reply) {
	t.Helper()
	assert.ErrorIs(t, r.err, syscall.ECONNRESET)
}

func wasTruncated(t *testing.T, r reply) {
	t.Helper()
	require.ErrorIs(t, r.err, io.ErrUnexpectedEOF)
	assert.Equal(t, 200, r.status)
	assert.NotEmpty(t, r.body)
}

func answered(status int, contains string) func(*testing.T, reply) {
	return func(t *testing.T, r reply) {
		t.Helper()
		assert.NoError(t, r.err)
		assert.Equal(t, status, r.status)
		assert.Contains(t, r.body, contains)
		if status == http.StatusTooManyRequests {
			assert.Equal(t, "7", r.header.Get("Retry-After"))
		}
	}
}

func TestQueuedFaultsComeInOrderAndTheOnesForAnyCallLast(t *testing.T) {
	c := start(t, photos.Options{})
	c.service.Misbehave(photos.Any, photos.TooMany(0), -1)
	c.service.Misbehave(photos.Balance, photos.HTML(), 2)
	c.service.Misbehave(photos.Balance, photos.Error500(), 1)
	c.service.Misbehave(photos.Balance, photos.Error500(), 0)
	statuses := []int{}
	for range 5 {
		statuses = append(statuses, c.get("/account/balance", nil).status)
	}
	assert.Equal(t, []int{502, 502, 500, 429, 429}, statuses)
	assert.Empty(t, c.get("/orders", nil).header.Get("Retry-After"))
	c.service.Behave()
	assert.Equal(t, 200, c.get("/orders", nil).status)
	assert.Panics(t, func() { c.service.Misbehave("destroy", photos.HTML(), 1) })
}

func TestACallThatHangsIsCarriedOutLateThoughTheClientLeft(t *testing.T) {
	for name, test := range map[string]struct {
		fault photos.Fault
		early int
	}{"before": {photos.Hang(), 0}, "after": {photos.HangAfterCommit(), 1}} {
		t.Run(name, func(t *testing.T) {
			g := gallery(t)
			c := start(t, photos.Options{})
			c.service.Misbehave(photos.Create, test.fault, 1)
			var leave context.CancelFunc
			c.ctx, leave = context.WithCancel(t.Context())
			replies := make(chan reply, 1)
			go func() { replies <- c.post("/orders/create", newOrder(g+"/album/beach.jpg")) }()
			require.Eventually(t, func() bool {
				return len(c.service.Requests()) == 1 && len(c.service.Orders()) == test.early
			}, 5*time.Second, time.Millisecond)
			leave()
			require.ErrorIs(t, (<-replies).err, context.Canceled)
			assert.Len(t, c.service.Orders(), test.early)
			require.Eventually(t, func() bool {
				c.service.Release()
				return len(c.service.Orders()) == 1
			}, 5*time.Second, time.Millisecond)
		})
	}
}

func TestCloseReleasesWhatHangs(t *testing.T) {
	c := start(t, photos.Options{})
	c.service.Misbehave(photos.Balance, photos.Hang(), 1)
	c.service.Misbehave(photos.Fetch, photos.HangAfterCommit(), 1)
	c.service.Misbehave(photos.List, photos.Slow(time.Hour), 1)
	done := make(chan error, 3)
	for _, path := range []string{"/account/balance", "/orders/x", "/orders"} {
		go func() { done <- c.get(path, nil).err }()
	}
	require.Eventually(t, func() bool { return len(c.service.Requests()) == 3 }, 5*time.Second, time.Millisecond)
	c.service.Close()
	for range 3 {
		assert.Error(t, <-done)
	}
	assert.Empty(t, c.service.Orders())
	require.ErrorIs(t, c.service.Up(), http.ErrServerClosed)
}

func TestDownRefusesConnectionsUntilUpOnTheSamePort(t *testing.T) {
	c := start(t, photos.Options{})
	assert.Equal(t, 200, c.get("/account/balance", nil).status)
	c.service.Down()
	assert.ErrorIs(t, c.get("/account/balance", nil).err, syscall.ECONNREFUSED)
	require.NoError(t, c.service.Up())
	require.NoError(t, c.service.Up())
	assert.Equal(t, c.base, c.service.URL())
	assert.Equal(t, 200, c.get("/account/balance", nil).status)
}

func TestFilesMisbehaveToo(t *testing.T) {
	c := start(t, photos.Options{})
	thumb := c.reviewed(gallery(t) + "/beach.jpg").Images[0].Thumb
	c.service.Misbehave(photos.File, photos.HTML(), 1)
	c.service.Misbehave(photos.File, photos.Truncated(), 1)
	assert.Equal(t, 502, c.fetchFile(http.MethodGet, thumb).status)
	wasTruncated(t, c.fetchFile(http.MethodGet, thumb))
	c.download(thumb)
}

func TestResetsReachClientsOfATLSServer(t *testing.T) {
	c := start(t, photos.Options{})
	server := httptest.NewTLSServer(c.service)
	t.Cleanup(server.Close)
	c.base, c.http = server.URL+"/v2", server.Client()
	c.service.Misbehave(photos.Balance, photos.ResetAfterCommit(), 1)
	assert.Error(t, c.get("/account/balance", nil).err)
	assert.Equal(t, 200, c.get("/account/balance", nil).status)
}

func TestAResponseThatCannotBeHijackedIsAborted(t *testing.T) {
	s := photos.New(photos.Options{})
	s.Close()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v2/orders", http.NoBody)
	defer func() {
		err, ok := recover().(error)
		assert.True(t, ok && errors.Is(err, http.ErrAbortHandler))
	}()
	s.ServeHTTP(httptest.NewRecorder(), request)
}
