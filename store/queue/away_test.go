package queue

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// troubles are the ways in which a Redis that answers does not serve: how a real one gets
// there, and the code it then answers a write with; "": how the client hears of it is the weather's.
var troubles = map[string]struct {
	code string
	make func(t *testing.T, dir string, rdb redis.UniversalClient)
}{
	"its memory is full": {"OOM", func(t *testing.T, _ string, rdb redis.UniversalClient) {
		t.Helper()
		set(t, rdb, "maxmemory", "1")
	}},
	"it cannot save": {"MISCONF", func(t *testing.T, dir string, rdb redis.UniversalClient) {
		t.Helper()
		set(t, rdb, "save", "3600 1000")
		require.NoError(t, os.Mkdir(filepath.Join(dir, "dump.rdb"), 0o700)) // no file can take its place
		require.NoError(t, rdb.BgSave(t.Context()).Err())
		require.Eventually(t, func() bool {
			return strings.Contains(rdb.Info(t.Context(), "persistence").Val(), "rdb_last_bgsave_status:err")
		}, 10*time.Second, 10*time.Millisecond)
	}},
	"too few replicas": {"NOREPLICAS", func(t *testing.T, _ string, rdb redis.UniversalClient) {
		t.Helper()
		set(t, rdb, "min-replicas-to-write", "1")
	}},
	"it is a replica": {"READONLY", func(t *testing.T, _ string, rdb redis.UniversalClient) {
		t.Helper()
		require.NoError(t, rdb.ReplicaOf(t.Context(), "127.0.0.1", "1").Err())
	}},
	"it is a replica that is alone": {"MASTERDOWN", func(t *testing.T, _ string, rdb redis.UniversalClient) {
		t.Helper()
		set(t, rdb, "replica-serve-stale-data", "no")
		require.NoError(t, rdb.ReplicaOf(t.Context(), "127.0.0.1", "1").Err())
	}},
	"it takes no password any more": {"", func(t *testing.T, _ string, rdb redis.UniversalClient) {
		t.Helper()
		set(t, rdb, "requirepass", "another")
		require.NoError(t, rdb.Do(t.Context(), "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no").Err())
	}},
	"it takes no more clients": {"", func(t *testing.T, _ string, rdb redis.UniversalClient) {
		t.Helper()
		set(t, rdb, "maxclients", "1")
	}},
}

func set(t *testing.T, rdb redis.UniversalClient, name, value string) {
	t.Helper()
	require.NoError(t, rdb.ConfigSet(t.Context(), name, value).Err())
}

// A job that meets a Redis which does not serve waits, however often: nothing is wrong
// with the job.
func TestARedisThatDoesNotServeIsWaitedFor(t *testing.T) {
	needServer(t)
	for name, trouble := range troubles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := os.MkdirTemp("", "away") //nolint:usetesting // a socket's path must be short
			require.NoError(t, err)
			s, err := startServer(dir)
			require.NoError(t, err)
			t.Cleanup(func() { s.kill(); _ = os.RemoveAll(dir) })
			rdb := s.client()
			defer func() { _ = rdb.Close() }()
			q := newQueue(t, rdb, Options{})
			put(t, q, "a/1")
			trouble.make(t, dir, rdb)

			asker := s.client()
			defer func() { _ = asker.Close() }()
			troubled := newQueue(t, asker, Options{})
			_, refused := troubled.Put(t.Context(), job("a/2"))
			require.ErrorContains(t, refused, trouble.code)
			require.Equal(t, trouble.code == "OOM", Full(refused))
			require.Error(t, troubled.Ready(t.Context()), "clicks are not taken just now")
			for failures := range 20 {
				require.Equal(t, "wait", (&runner{q: q}).outcomeOf(t.Context(), fmt.Errorf("order 1: %w", refused), failures).verb, refused)
			}
		})
	}
}

// What a Redis answers that cannot be brought about here.
func TestAnswersThatPass(t *testing.T) {
	t.Parallel()
	for _, says := range []string{
		"LOADING Redis is loading the dataset in memory", "CLUSTERDOWN The cluster is down", "CLUSTERDOWN Hash slot not served",
		"TRYAGAIN Multiple keys request during rehashing of slot", "MOVED 3999 127.0.0.1:6381", "BUSY Redis is busy running a script.", "ERR max number of clients reached", "NOAUTH Authentication required.",
		"UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)",
		"ERR Error running script (call to f_2d8a): @user_script:12: @user_script: 12: -OOM command not allowed when used memory > 'maxmemory'.",
		"ERR Error running script (call to f_2d8a): @user_script:12: @user_script: 12: -MISCONF Redis is configured to save RDB snapshots",
	} {
		require.True(t, Away(fmt.Errorf("order 1: %w", answerOf(t, says))), says)
	}
	for _, says := range []string{
		"WRONGTYPE Operation against a key holding the wrong kind of value", "ERR unknown command 'FOO'", "NOSCRIPT No matching script.",
		"ERR Error running script (call to f_2d8a): @user_script:12: attempt to index a nil value", "BUSYGROUP Consumer Group name already exists",
	} {
		require.False(t, Away(fmt.Errorf("order 1: %w", answerOf(t, says))), says)
	}
	for _, err := range []error{nil, redis.Nil, errors.New("order 1: LOADING"), context.Canceled, context.DeadlineExceeded} {
		require.False(t, Away(err), err)
	}
	require.True(t, Away(fmt.Errorf("order 1: %w", &net.OpError{Op: "dial", Err: errors.New("connection refused")})))
}

// answerOf is the error that a client makes of such an answer.
func answerOf(t *testing.T, says string) error {
	t.Helper()
	there, here := net.Pipe()
	defer func() { _ = there.Close() }()
	o := clientOptions()
	o.Protocol, o.MaxRetries = 2, -1
	o.Dialer = func(context.Context, string, string) (net.Conn, error) { return here, nil }
	rdb := redis.NewClient(o)
	defer func() { _ = rdb.Close() }()
	go func() {
		question := make([]byte, 1000)
		for {
			if _, err := there.Read(question); err != nil {
				return
			}
			if _, err := there.Write([]byte("-" + says + "\r\n")); err != nil {
				return
			}
		}
	}()
	return rdb.Set(t.Context(), "a", 1, 0).Err()
}
