package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/store/seal"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
)

// renewing is an app for many, not yet running, before a Slack that gives new tokens in its time, over a Redis in which
// the app is in the workspaces that are named, with tokens that last for hours; and what else has that Redis.
func renewing(t *testing.T, takes time.Duration, ids ...string) (a *app, asked *atomic.Int32, directory *tenants.Directory) {
	t.Helper()
	asked = &atomic.Int32{}
	slack := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Path != "/api/oauth.v2.access" {
			_, _ = io.WriteString(w, `{"ok":true}`)
			return
		}
		n := asked.Add(1)
		<-time.After(takes)
		_, _ = fmt.Fprintf(w, `{"ok":true,"access_token":"xoxe.xoxb-NEXT-%d","refresh_token":"xoxe-1-NEXT-%d","expires_in":43200}`, n, n)
	}))
	t.Cleanup(slack.Close)
	server := storetest.Embed(t)
	cfg, err := config.Read([]string{
		"REDIS_URL=redis://" + server.Addr(), "SLACK_API_URL=" + slack.URL + "/api/", "PUBLIC_URL=https://darkroom.example.com", "SLACK_SIGNING_SECRET=a signing secret",
		"SLACK_CLIENT_ID=1.2", "SLACK_CLIENT_SECRET=a client secret", "FILE_SIGNING_KEY=the key that signs files of a test", "ENCRYPTION_KEY=" + sealing,
	})
	require.NoError(t, err)
	a, err = newApp(cfg, slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})), nil)
	require.NoError(t, err)
	keys, err := seal.NewKeys(sealing)
	require.NoError(t, err)
	directory = tenants.NewDirectory(redisClient(t, "redis://"+server.Addr()), keys)
	for _, id := range ids {
		require.NoError(t, directory.Installations.Install(t.Context(), tenants.Installation{
			ID: id, Team: id, Token: "xoxe.xoxb-FIRST-" + id, Refresh: "xoxe-1-FIRST-" + id, Expires: time.Now().Add(110 * time.Minute), At: time.Now().Add(-10 * time.Hour),
		}))
	}
	return a, asked, directory
}

// runs runs an app, until it is stopped.
func runs(t *testing.T, a *app) (stop context.CancelFunc, ended <-chan error) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	end := make(chan error, 1)
	go func() { end <- a.run(ctx, listener) }()
	return stop, end
}

// diesRenewing begins to renew an installation's token and gets no answer, as a process that is killed.
func diesRenewing(t *testing.T, a *app, d *tenants.Directory, id string) {
	t.Helper()
	i, err := d.Installations.Known(t.Context(), id)
	require.NoError(t, err)
	killed := errors.New("killed")
	_, err = d.Renewals.Renew(t.Context(), i, a.many.Tokens.Renewing(id, func(context.Context, string) (string, string, time.Time, error) { return "", "", time.Time{}, killed }))
	require.ErrorIs(t, err, killed)
}

// TestWhatWasBegunIsRenewedThoughNobodyUsesIt: any running replica finishes a renewal at once, and starts no other.
func TestWhatWasBegunIsRenewedThoughNobodyUsesIt(t *testing.T) {
	t.Parallel()
	a, asked, directory := renewing(t, 0, "T1", "T2", "T3")
	diesRenewing(t, a, directory, "T2")
	stop, ended := runs(t, a)
	token := func(id string) string {
		i, err := directory.Installations.Known(t.Context(), id)
		require.NoError(t, err)
		return i.Token
	}
	require.Eventually(t, func() bool { return token("T2") == "xoxe.xoxb-NEXT-1" }, time.Minute, 10*time.Millisecond)
	i, err := directory.Installations.Known(t.Context(), "T2")
	require.NoError(t, err)
	require.Zero(t, i.Renewing)
	stop()
	require.NoError(t, <-ended)
	require.EqualValues(t, 1, asked.Load())
	require.Equal(t, "xoxe.xoxb-FIRST-T1", token("T1"))
}

// TestStoppingWaitsForATokenThatIsRenewed: what Slack gives is kept, though nobody who asked for it is there any more.
func TestStoppingWaitsForATokenThatIsRenewed(t *testing.T) {
	t.Parallel()
	a, asked, directory := renewing(t, 2*time.Second, "T1")
	stop, ended := runs(t, a)
	installed, err := directory.Installations.Known(t.Context(), "T1")
	require.NoError(t, err)
	source := a.many.Tokens.Source(installed)
	token, err := source.Token(t.Context())
	require.NoError(t, err)
	asks, gone := context.WithCancel(t.Context())
	go source.Stale(asks, token)
	require.Eventually(t, func() bool { return asked.Load() == 1 }, time.Minute, time.Millisecond)
	gone()
	stop()
	require.NoError(t, <-ended)
	i, err := directory.Installations.Known(t.Context(), "T1")
	require.NoError(t, err)
	require.Equal(t, "xoxe.xoxb-NEXT-1", i.Token)
	require.Zero(t, i.Renewing)
}
