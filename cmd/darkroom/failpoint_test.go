//go:build failpoint

package main

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/failpoints"
	"darkroom/sandbox/failpoint"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// TestNobodyConductsUnlessAsked: without the variable nothing is wrapped, and only this
// machine may be named in it.
func TestNobodyConductsUnlessAsked(t *testing.T) {
	t.Parallel()
	f, err := failpoints.New([]string{"REDIS_URL=redis://localhost"})
	require.NoError(t, err)
	require.Nil(t, f)
	require.Nil(t, f.Slack())
	require.Nil(t, f.Service())
	require.Equal(t, t.Context(), f.During(t.Context(), "place"))
	for _, foreign := range []string{"http://10.0.0.7:80", "http://example.com", "https://127.0.0.1", "", "http://127.0.0.1.example.com"} {
		_, err := failpoints.New([]string{failpoint.Variable + "=" + foreign})
		require.Error(t, err, foreign)
	}
	require.NotContains(t, serveHelp(), failpoint.Variable)
}

// conductor hears of the failpoints, and kills at one of them.
type conductor struct {
	mu     sync.Mutex
	heard  []string
	killAt string
}

func (c *conductor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reached, _ := io.ReadAll(r.Body)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = append(c.heard, string(reached))
	if string(reached) == c.killAt {
		_, _ = io.WriteString(w, "die")
	}
}

func (c *conductor) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.heard)
}

func (c *conductor) has(reached string) bool { return slices.Contains(c.all(), reached) }

// TestEveryWriteIsAFailpoint: a job's writes to Slack and to Redis are reported, named by the
// job's kind, and the process ends where the conductor says so.
func TestEveryWriteIsAFailpoint(t *testing.T) {
	t.Parallel()
	c := &conductor{killAt: "mark/after reactions.add"}
	conducting := httptest.NewServer(c)
	t.Cleanup(conducting.Close)
	slack := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"ok":true}`)
	}))
	t.Cleanup(slack.Close)
	points, err := failpoints.New([]string{failpoint.Variable + "=" + conducting.URL + "/1"})
	require.NoError(t, err)
	died := make(chan struct{})
	points.Die = sync.OnceFunc(func() { close(died) })

	cfg, err := config.Read(append(working(), "REDIS_URL=redis://"+storetest.Embed(t).Addr(), "SLACK_API_URL="+slack.URL+"/api/"))
	require.NoError(t, err)
	a, err := newApp(cfg, slog.New(slog.DiscardHandler), points)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.close()) })
	mark, err := json.Marshal(store.Mark{Team: "T1", Channel: "C1", TS: "1.1", Emoji: "x"})
	require.NoError(t, err)
	_, err = a.own.Queue.Put(t.Context(), queue.Job{ID: "mark:1", Lane: "channel:T1:C1", Kind: store.MarkKind, Body: mark})
	require.NoError(t, err)
	ctx := t.Context()
	go func() { _ = a.own.Queue.Run(points.During(ctx, "queue"), a.work) }()
	<-died
	require.Eventually(t, func() bool { return c.has("mark/after queue.settle") }, time.Minute, 10*time.Millisecond)
	for _, reached := range []string{
		"hear/before queue.Put", "hear/after queue.Put", "queue/before queue.claimLane", "queue/after queue.claimLane",
		"mark/before reactions.add", "mark/after reactions.add", "mark/before queue.settle",
	} {
		require.Contains(t, c.all(), reached)
	}
}
