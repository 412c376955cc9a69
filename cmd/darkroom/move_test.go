package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/tenants"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
	storetenants "darkroom/store/tenants"
)

// TestAWorkspaceIsMovedWhileNoAppRuns, put back, and moved again. Each kind of app says when the data is not its own.
func TestAWorkspaceIsMovedWhileNoAppRuns(t *testing.T) {
	t.Parallel()
	storetest.Need(t)
	url := storetest.Start(t).URL() // the embedded Redis copies no keys
	rdb := redisClient(t, url)
	ctx, backup := t.Context(), filepath.Join(t.TempDir(), "backup")
	does := func(code int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		require.Equal(t, code, run(ctx, append([]string{"move"}, args...), []string{"REDIS_URL=" + url}, nil, &out, &out), out.String())
		return out.String()
	}
	_, err := tenants.StoreOf(rdb, "").Changes.AddOrder(ctx, store.NewOrder{
		ID: "o1", Owner: store.Owner{Team: "T0ACME", Channel: "C1", Requester: "UMARIA"}, Order: order.Order{Status: order.StatusEditing},
	})
	require.NoError(t, err)
	at := func(id string) bool {
		_, err := tenants.StoreOf(rdb, id).Orders.Order(ctx, "o1")
		return err == nil
	}
	one := &readiness{queues: []*queue.Queue{tenants.QueueOf(rdb, "")}, useful: func(ctx context.Context) error { return unmoved(ctx, rdb) }}
	oneMoved := func() error { _, err := tenants.OneMoved(ctx, rdb); return err }
	require.NoError(t, one.usable(ctx))
	require.ErrorIs(t, oneMoved(), tenants.ErrNotMoved)

	working, stop := context.WithCancel(ctx)
	worked := make(chan error)
	go func() {
		worked <- tenants.QueueOf(rdb, "").Run(working, func(context.Context, *queue.Delivery) error { return nil })
	}()
	require.Eventually(t, func() bool {
		who, err := tenants.QueueOf(rdb, "").Worked(ctx, time.Second)
		return err == nil && who != ""
	}, 10*time.Second, time.Millisecond)
	require.Contains(t, does(1, "T0ACME", backup), "stop all replicas")
	stop()
	require.NoError(t, <-worked)
	require.Contains(t, does(1, "acme", backup), "should look like T012ABC3DE")
	require.NoFileExists(t, backup)
	require.True(t, at(""))

	require.Contains(t, does(1, "T0ACME", filepath.Join(backup, "nowhere", "at all")), "Nothing was done")
	require.NoError(t, one.usable(ctx))
	_, err = storetenants.MoveWorkspace(ctx, rdb, tenants.QueueOf(rdb, "T0ACME"), backupFile{nil, ""}) // its disk fails
	require.ErrorIs(t, err, os.ErrInvalid)
	require.ErrorIs(t, one.usable(ctx), errMoved, "it has begun")
	require.ErrorIs(t, oneMoved(), tenants.ErrMoving)
	require.Contains(t, does(1, "T0BETA", backup), storetenants.ErrMovesOther.Error())
	require.NoFileExists(t, backup)
	require.Contains(t, does(0, "T0ACME", backup), "Moved to workspace T0ACME; ")
	require.FileExists(t, backup)
	require.Contains(t, does(0, "T0ACME", backup), "; 0 keys were copied")
	require.False(t, at(""))
	require.True(t, at("T0ACME"))
	team, err := tenants.OneMoved(ctx, rdb)
	require.NoError(t, err)
	require.Equal(t, "T0ACME", team)
	require.ErrorIs(t, one.usable(ctx), errMoved)
	left, err := filepath.Glob(filepath.Join(filepath.Dir(backup), "*"))
	require.NoError(t, err)
	require.Equal(t, []string{backup}, left)
}
