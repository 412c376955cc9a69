package topology_test

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/conn"
	"darkroom/store/storetest/topology"
)

// Another node takes over from one that was killed, and what was written before is there. When the dead node is back, one
// of the two copies the other: on a busy machine the new main may seem gone for a second, and there is a failover back.
func TestAnotherNodeTakesOver(t *testing.T) {
	for _, kind := range []topology.Kind{topology.Sentinel, topology.Cluster} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := started(t, topology.Options{Kind: kind, Replicas: 1})
			rdb := connected(t, r)
			const key = "{darkroom}:a"
			require.NoError(t, rdb.Set(t.Context(), key, "b", 0).Err())
			first, err := r.Main(t.Context(), key)
			require.NoError(t, err)
			copies, err := r.ReplicasOf(t.Context(), first)
			require.NoError(t, err)
			require.Len(t, copies, 1)
			copied := copies[0].Client()
			defer func() { _ = copied.Close() }()
			require.Eventually(t, func() bool { return copied.DBSize(t.Context()).Val() == 1 }, 10*time.Second, 10*time.Millisecond)
			first.Kill()
			require.Eventually(t, func() bool {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				return rdb.Get(ctx, key).Val() == "b" && rdb.Set(ctx, key+"2", "c", 0).Err() == nil
			}, 30*time.Second, 20*time.Millisecond)
			require.Eventually(t, func() bool {
				second, err := r.Main(t.Context(), key)
				return err == nil && second != first
			}, 30*time.Second, 20*time.Millisecond)
			require.NoError(t, first.Restart(t.Context()))
			require.Eventually(t, func() bool {
				main, err := r.Main(t.Context(), key)
				if err != nil {
					return false
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				copies, err := r.ReplicasOf(ctx, main)
				return err == nil && len(copies) == 1 && rdb.Get(ctx, key).Val() == "b"
			}, 30*time.Second, 20*time.Millisecond)
		})
	}
}

// A server whose port another one took meanwhile waits for it, and does not take the other for itself.
func TestARestartedNodeIsItself(t *testing.T) {
	t.Parallel()
	node := started(t, topology.Options{}).Nodes[0]
	node.Kill()
	_, port, err := net.SplitHostPort(node.Addr)
	require.NoError(t, err)
	other := exec.Command(cmp.Or(os.Getenv("DARKROOM_TEST_REDIS_SERVER"), "redis-server"), "--bind", "127.0.0.1", "--port", port, "--dir", t.TempDir(), "--save", "") //nolint:noctx,gosec // the test ends it
	require.NoError(t, other.Start())
	ended := sync.OnceFunc(func() { _ = other.Process.Kill(); _ = other.Wait() })
	defer ended()
	rdb := node.Client()
	defer func() { _ = rdb.Close() }()
	answers := func() string { return rdb.Info(t.Context(), "server").Val() }
	itself := fmt.Sprintf("process_id:%d\r", other.Process.Pid)
	require.Eventually(t, func() bool { return strings.Contains(answers(), itself) }, 10*time.Second, 10*time.Millisecond)

	restarted := make(chan error, 1)
	go func() { restarted <- node.Restart(t.Context()) }()
	require.Eventually(t, func() bool {
		log, err := os.ReadFile(filepath.Join(node.Dir, "redis.log"))
		return err == nil && strings.Contains(string(log), "Address already in use")
	}, 10*time.Second, 10*time.Millisecond)
	ended()
	require.NoError(t, <-restarted)
	require.Contains(t, answers(), "process_id:")
	require.NotContains(t, answers(), itself)
}

func TestAServerThatDoesNotStartIsNotLeftRunning(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program, pid := filepath.Join(dir, "mute"), filepath.Join(dir, "pid")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho $$ >"+pid+".new\nmv "+pid+".new "+pid+"\nexec sleep 60\n"), 0o700)) //nolint:gosec // a program
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := topology.Start(ctx, dir, topology.Options{Server: program})
		failed <- err
	}()
	var said []byte
	require.Eventually(t, func() (ran bool) {
		var err error
		said, err = os.ReadFile(pid)
		return err == nil
	}, 10*time.Second, 10*time.Millisecond)
	cancel()
	require.Error(t, <-failed)
	id, err := strconv.Atoi(strings.TrimSpace(string(said)))
	require.NoError(t, err)
	require.ErrorIs(t, syscall.Kill(id, 0), syscall.ESRCH)
}

func started(t *testing.T, o topology.Options) *topology.Redis {
	t.Helper()
	o.Server = os.Getenv("DARKROOM_TEST_REDIS_SERVER")
	if _, err := exec.LookPath("redis-server"); err != nil && o.Server == "" {
		require.Empty(t, os.Getenv("DARKROOM_TEST_REQUIRE_REDIS"), err)
		t.Skip("no redis-server on PATH")
	}
	began := time.Now()
	r, err := topology.Start(t.Context(), t.TempDir(), o)
	require.NoError(t, err)
	t.Cleanup(func() {
		r.Close()
		if t.Failed() {
			for _, node := range append(r.Nodes, r.Sentinels...) {
				log, _ := os.ReadFile(node.Dir + "/redis.log")
				t.Logf("%s:\n%s", node.Addr, log)
			}
		}
	})
	t.Logf("%s, ready after %s", r.URL(0), time.Since(began).Round(time.Millisecond))
	return r
}

func connected(t *testing.T, r *topology.Redis) redis.UniversalClient {
	t.Helper()
	rdb, err := conn.Connect(r.URL(0))
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}
