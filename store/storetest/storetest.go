// Package storetest gives tests a Redis of their own: a real redis-server from
// PATH, with an append-only file in a temporary folder, or the embedded one, or a
// real cluster, or a real server behind real Sentinels (see package topology).
// Each test says in its log which one it used.
//
// DARKROOM_TEST_REDIS chooses: embedded, cluster, sentinel, or one, the default.
// DARKROOM_TEST_REDIS_SERVER names another program than the redis-server on PATH.
//
// It knows no orders: the tests of any package may use it.
package storetest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"darkroom/sandbox/embedded"
	"darkroom/store/storetest/topology"
)

// The kinds of Redis.
const (
	Real     = "redis-server"
	Embedded = "miniredis"
	Cluster  = "redis-cluster"
	Sentinel = "redis-sentinel"
)

// Redis returns the URL of an empty Redis for this test, and its kind: a database of the
// redis-server on PATH, else the embedded Redis. DARKROOM_TEST_REDIS=embedded selects the
// embedded one. With DARKROOM_TEST_REQUIRE_REDIS=1 a missing redis-server fails the test.
func Redis(tb testing.TB) (url, kind string) {
	tb.Helper()
	if os.Getenv("DARKROOM_TEST_REDIS") == "embedded" || !found(tb) {
		return "redis://" + embed(tb, time.Millisecond).Addr(), Embedded
	}
	switch kind := Topology(); kind {
	case topology.Cluster:
		return startMany(tb, kind), Cluster
	case topology.Sentinel:
		return startMany(tb, kind), Sentinel
	default:
		return start(tb), Real
	}
}

// Each runs f with a real Redis and with the embedded one. If [Topology] is a cluster or Sentinels, it
// runs f with that only. Without a redis-server the first is skipped, or fails if it is required.
func Each(t *testing.T, f func(t *testing.T, rdb redis.UniversalClient)) {
	t.Helper()
	if Topology() != topology.One {
		url, kind := Redis(t)
		t.Run(kind, func(t *testing.T) { f(t, client(t, url)) })
		return
	}
	t.Run(Real, func(t *testing.T) {
		Need(t)
		f(t, single(t, start(t)))
	})
	t.Run(Embedded, func(t *testing.T) { f(t, single(t, "redis://"+embed(t, time.Millisecond).Addr())) })
}

// Client returns a client of the Redis that [Redis] starts.
func Client(tb testing.TB) redis.UniversalClient {
	tb.Helper()
	url, _ := Redis(tb)
	return client(tb, url)
}

func client(tb testing.TB, url string) redis.UniversalClient {
	tb.Helper()
	rdb, err := connect(url)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// single returns a client of one server.
func single(tb testing.TB, url string) *redis.Client {
	tb.Helper()
	o, err := redis.ParseURL(url)
	if err != nil {
		tb.Fatal(err)
	}
	o.ContextTimeoutEnabled = true
	rdb := redis.NewClient(o)
	tb.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// found reports whether a redis-server exists, and fails the test if one is
// required.
func found(tb testing.TB) bool {
	tb.Helper()
	_, err := exec.LookPath(Program())
	if err != nil && os.Getenv("DARKROOM_TEST_REQUIRE_REDIS") == "1" {
		tb.Fatal("DARKROOM_TEST_REQUIRE_REDIS=1 but there is no redis-server on PATH")
	}
	return err == nil
}

// Embed starts an empty embedded Redis until the test ends.
func Embed(tb testing.TB) *miniredis.Miniredis {
	tb.Helper()
	return embed(tb, embedded.Step)
}

func embed(tb testing.TB, step time.Duration) *miniredis.Miniredis {
	tb.Helper()
	m, err := embedded.Start(step)
	if err != nil {
		tb.Fatal(err)
	}
	addr := m.Addr()
	inThisProcess.Store(addr, m)
	tb.Cleanup(func() { inThisProcess.Delete(addr); m.Close() })
	tb.Logf("redis: %s (embedded)", Embedded)
	return m
}

// start returns the URL of an unused database in the server that all tests of this process share.
func start(tb testing.TB) string {
	tb.Helper()
	common.once.Do(func() { common.port, common.err = share(tb) })
	if common.err != nil {
		tb.Fatal(common.err)
	}
	number := common.given.Add(1)
	if number >= databases {
		return Start(tb).URL()
	}
	tb.Logf("redis: %s on port %d, database %d", Real, common.port, number)
	return fmt.Sprintf("redis://127.0.0.1:%d/%d", common.port, number)
}

func freePort(tb testing.TB) (int, error) {
	tb.Helper()
	var listen net.ListenConfig
	l, err := listen.Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// ready reads a server's log until it is ready, for ten seconds at most.
func ready(out io.Reader) error {
	result := make(chan error, 1)
	go func() {
		var log strings.Builder
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.Contains(lines.Text(), "Ready to accept connections") {
				result <- nil
				return
			}
			log.WriteString(lines.Text() + "\n")
		}
		result <- fmt.Errorf("redis-server did not start: %s", log.String())
	}()
	select {
	case err := <-result:
		return err
	case <-time.After(10 * time.Second):
		return fmt.Errorf("redis-server did not start in time")
	}
}
