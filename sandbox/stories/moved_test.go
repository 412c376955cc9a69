package stories

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/store/conn"
	"darkroom/store/storetest"
)

// alone is the app as it serves one workspace by its environment, over the Redis of many.
func (w *manyWorld) alone(workspace, token string) *process {
	w.t.Helper()
	account := w.Account(workspace)
	addr := freeAddress(w.t)
	p := start(w.t, binary, slices.Concat(w.Environ()[:1], []string{
		"SLACK_API_URL=" + w.Slack.APIURL(), "SLACK_BOT_TOKEN=" + token, "POLL_SCHEDULE=@every 1s", "DARKROOM_ALLOW_PRIVATE_URLS=true",
		"UPSTREAM_URL=" + account.URL, "UPSTREAM_API_KEY=" + account.Key, "UPSTREAM_API_SECRET=" + account.Secret,
		"REDIS_URL=" + w.redis, "LISTEN_ADDR=" + addr, "ADMIN_ADDR=127.0.0.1:0", "LOG_LEVEL=debug",
		"PUBLIC_URL=http://" + addr, "FILE_SIGNING_KEY=" + fileKey,
	}))
	require.NotNil(w.t, p)
	w.SetAppURL(p.url)
	return p
}

// move runs `darkroom move`, and kills it when it has begun, or lets it end.
func (w *manyWorld) move(workspace, backup string, killed bool) {
	w.t.Helper()
	c := exec.CommandContext(w.t.Context(), binary, "move", w.Workspace(workspace).ID(), backup)
	c.Env, c.Stderr = []string{"REDIS_URL=" + w.redis}, os.Stderr
	require.NoError(w.t, c.Start())
	if killed {
		rdb, err := conn.Connect(w.redis)
		require.NoError(w.t, err)
		defer func() { _ = rdb.Close() }()
		require.Eventually(w.t, func() bool { return rdb.Exists(w.t.Context(), "{darkroom}:moved").Val() == 1 }, patience, time.Millisecond)
		_ = c.Process.Kill() // it may have ended
	}
	if err := c.Wait(); !killed {
		require.NoError(w.t, err)
	}
}

// TestOneWorkspaceBecomesOneOfMany: an app that served one workspace is moved, and started for many, over the same Redis.
// An order in work goes on where it was, what was written to its editor while the service was away arrives once, and the
// next workspace adds the app beside it.
func TestOneWorkspaceBecomesOneOfMany(t *testing.T) {
	t.Parallel()
	seated(t)
	redis := storetest.Start(t) // a real one: moving copies streams with DUMP, which the embedded one cannot
	w := aManyWorld(t, sandbox.OverHTTP, redis.URL(), []string{"studio", "agency"})
	token, _ := w.Slack.AddApp(w.Workspace("studio").ID(), w.Workspace("studio").User("olga").ID)["access_token"].(string)
	w.app = w.alone("studio", token)
	maria := w.in("studio", "maria")
	w.placeIn(maria, "Spring shoes")
	ref := w.Photos("studio").Orders()[0].ID
	w.Photos("studio").Down()
	maria.Type("/order message " + ref + " Please keep the shadow.")
	maria.SeesDM("does not answer just now")
	w.app.stop()

	backup := filepath.Join(t.TempDir(), "backup")
	w.move("studio", backup, true)
	w.move("studio", backup, false)
	w.startApp()
	require.NoError(t, w.Photos("studio").Up())
	w.add("studio", "olga")
	w.connect("studio", "olga")
	require.Eventually(t, func() bool { return len(w.Photos("studio").Orders()[0].Messages) == 1 }, patience, tick)
	require.NoError(t, w.Photos("studio").Deliver(ref))
	maria.SeesBroadcast("Ready for review")
	approveOn(maria, "Ready for review", "Spring shoes")
	require.Len(t, w.Photos("studio").Orders()[0].Messages, 1, "the editor reads it once")

	w.add("agency", "olga")
	w.connect("agency", "olga")
	w.placeIn(w.in("agency", "maria"), "A wedding in May")
	w.restart(w.key)
	w.placeIn(maria, "Winter boots")
}
