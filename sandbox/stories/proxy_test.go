package stories

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
)

const caddy = "../../bin/caddy" // a distribution's may be too old to send a request again

// needsProxy skips a story where there is no Caddy, unless one is required.
func needsProxy(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(caddy); err != nil {
		require.Empty(t, os.Getenv("DARKROOM_TEST_REQUIRE_CADDY"), "a proxy is required: %v", err)
		t.Skip("no proxy: make bin/caddy builds it")
	}
}

// startProxy runs Caddy with deploy/Caddyfile in front of the replicas, without TLS, and
// returns its address.
func startProxy(t *testing.T, replicas ...string) string {
	t.Helper()
	needsProxy(t)
	site := "http://" + freeAddress(t)
	cmd := exec.Command(caddy, "run", "--config", "../../deploy/Caddyfile", "--adapter", "caddyfile") //nolint:noctx // the story stops it
	dir := t.TempDir()
	cmd.Env = []string{
		"DARKROOM_HOST=" + site, "DARKROOM_UPSTREAMS=" + strings.Join(replicas, " "),
		"CADDY_ADMIN=" + freeAddress(t), "HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir,
	}
	var log strings.Builder
	cmd.Stderr = &log
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("the last that the proxy said:\n%s", log.String()[max(0, log.Len()-4000):])
		}
	})
	require.Eventually(t, func() bool { return status(t, site+"/healthz") == http.StatusOK }, patience, tick, "the proxy reaches a replica")
	return site
}

// status is what a GET is answered with, 0 when nobody answers.
func status(t *testing.T, address string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	defer func() { _ = resp.Body.Close() }()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// slashHelp is Maria's "/order help", signed as Slack signs; n makes each of them another one. It
// returns what was wrong with the answer, if anything.
func slashHelp(site, secret string, n int) error {
	body := url.Values{
		"command": {"/order"}, "text": {"help"}, "team_id": {"T01"}, "user_id": {"U01"}, "channel_id": {"C01"},
		"trigger_id": {fmt.Sprintf("1.%d", n)}, "response_url": {"http://127.0.0.1:1/"},
	}.Encode()
	now := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "v0:%s:%s", now, body)
	req, err := http.NewRequest(http.MethodPost, site+"/slack/commands", strings.NewReader(body)) //nolint:noctx // the client has a timeout
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("X-Slack-Request-Timestamp", now)
	req.Header.Set("X-Slack-Signature", "v0="+hex.EncodeToString(mac.Sum(nil)))
	client := http.Client{Timeout: 10 * time.Second}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && (resp.StatusCode != http.StatusOK || !strings.Contains(string(answer), "/order new")) {
		err = fmt.Errorf("request %d: %s: %.200s", n, resp.Status, answer)
	}
	return err
}

// replicaAt starts a replica at an address of its own, at which its successor will listen.
func (w *world) replicaAt(addr string) *process {
	w.t.Helper()
	var p *process
	require.Eventually(w.t, func() bool {
		p = start(w.t, w.binary, slices.Concat(w.Environ(), []string{"REDIS_URL=" + w.redis, "LISTEN_ADDR=" + addr, "ADMIN_ADDR=127.0.0.1:0"}))
		return p != nil
	}, patience, tick)
	return p
}

func TestTheProxyShowsOnlyWhatSlackAndTheServiceNeed(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Delivery = sandbox.OverHTTP })
	site := startProxy(t, strings.TrimPrefix(w.app.url, "http://"))
	require.Equal(t, http.StatusOK, status(t, w.app.url+"/readyz"))
	for _, path := range []string{"/metrics", "/readyz", "/debug/pprof/", "/", "/slack", "/slack/", "/files"} {
		require.Equal(t, http.StatusNotFound, status(t, site+path), path)
	}
	require.Equal(t, http.StatusMethodNotAllowed, status(t, site+"/slack/commands"), "it is passed on")
	require.NotZero(t, status(t, site+"/files/no-token/a.jpg"))
}

// TestPeopleAddTheAppThroughTheProxy: the page with the button, what that leads to, and where Slack sends people back to.
func TestPeopleAddTheAppThroughTheProxy(t *testing.T) {
	t.Parallel()
	needsProxy(t)
	w := openMany(t, sandbox.OverHTTP, []string{"studio"})
	site := startProxy(t, strings.TrimPrefix(w.app.url, "http://"))
	require.Equal(t, http.StatusOK, status(t, site+"/slack/install"))
	b, err := w.AddToSlack(site+"/slack/install", "studio", "olga")
	require.NoError(t, err)
	require.NoError(t, b.Sees("Darkroom was added to "+w.Workspace("studio").Team()), b.Text())
	require.Equal(t, http.StatusBadRequest, status(t, site+"/slack/oauth"), "it is passed on, and nobody began that here")
	for _, path := range []string{"/slack/install/", "/slack/install/else", "/slack/oauth/"} {
		require.Equal(t, http.StatusNotFound, status(t, site+path), path)
	}
}

func TestNoRequestFailsAtTheProxyWhileReplicasAreReplaced(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Delivery = sandbox.OverHTTP })
	addrs := []string{freeAddress(t), freeAddress(t)}
	replicas := []*process{w.replicaAt(addrs[0]), w.replicaAt(addrs[1])}
	site := startProxy(t, addrs...)
	environ := w.Environ()
	at := slices.IndexFunc(environ, func(v string) bool { return strings.HasPrefix(v, "SLACK_SIGNING_SECRET=") })
	_, secret, _ := strings.Cut(environ[at], "=")

	done := make(chan struct{})
	var senders sync.WaitGroup
	var mu sync.Mutex
	var failed []error
	sent := 0
	for range 4 {
		senders.Go(func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
				mu.Lock()
				sent++
				n := sent
				mu.Unlock()
				if err := slashHelp(site, secret, n); err != nil {
					mu.Lock()
					failed = append(failed, err)
					mu.Unlock()
				}
			}
		})
	}
	for range restarts {
		for i, addr := range addrs {
			replicas[i].stop()
			replicas[i] = w.replicaAt(addr)
			require.Eventually(t, func() bool { return status(t, "http://"+addr+"/readyz") == http.StatusOK }, patience, tick)
			<-time.After(2 * time.Second) // the proxy looks every second; an operator waits longer
		}
	}
	close(done)
	senders.Wait()
	for _, p := range replicas {
		p.stop()
	}
	t.Logf("%d requests while %d replicas were replaced", sent, restarts*len(addrs))
	require.Greater(t, sent, 100)
	require.NoError(t, errors.Join(failed...))
}
