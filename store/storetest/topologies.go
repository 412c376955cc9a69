package storetest

import (
	"cmp"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/storetest/topology"
)

// Program returns the server that tests start: the value of DARKROOM_TEST_REDIS_SERVER, such as a
// valkey-server, or the redis-server on PATH.
func Program() string { return cmp.Or(os.Getenv("DARKROOM_TEST_REDIS_SERVER"), "redis-server") }

// Topology returns the kind of Redis that tests get: DARKROOM_TEST_REDIS=cluster or
// =sentinel, else one server.
func Topology() topology.Kind {
	switch kind := topology.Kind(os.Getenv("DARKROOM_TEST_REDIS")); kind {
	case topology.Cluster, topology.Sentinel:
		return kind
	default:
		return topology.One
	}
}

// calm is the silence after which a node counts as gone. It is long, so that a busy machine causes no failover.
const calm = 30 * time.Second

// many has the clusters and the servers behind Sentinels that tests of this process share: starting
// them takes longer than most tests. A server has a database for each test. A cluster has only one
// database, so that one test at a time uses it; parallel tests get a cluster each.
var many struct {
	sync.Mutex
	dir     string
	life    io.Closer // see removeAtEnd
	all     []*topology.Redis
	free    []*topology.Redis // clusters that no test has
	servers *topology.Redis
	given   int // databases so far
}

// Shut ends the clusters and Sentinels that [Redis] started; otherwise they end with the process. A
// package that checks for leaked goroutines calls it first.
func Shut() {
	many.Lock()
	defer many.Unlock()
	for _, r := range many.all {
		r.Close()
	}
	many.all, many.free, many.servers = nil, nil, nil
	_ = os.RemoveAll(many.dir)
}

// removeAtEnd removes a folder when this process ends or crashes, or the returned closer is closed.
func removeAtEnd(dir string) (io.Closer, error) {
	cmd := exec.CommandContext(context.Background(), "sh", "-c", `cat >/dev/null; rm -rf "$0" || rm -rf "$0"`, dir)
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	return input, cmd.Start()
}

// startMany returns the URL of an empty Redis of that kind for this test.
func startMany(tb testing.TB, kind topology.Kind) string {
	tb.Helper()
	many.Lock()
	defer many.Unlock()
	if kind == topology.Cluster {
		return cluster(tb)
	}
	many.given++
	if many.servers == nil || many.given >= databases {
		many.servers, many.given = launch(tb, topology.Options{Kind: kind, Replicas: 1, Databases: databases}), 1
	}
	tb.Logf("redis: behind Sentinels, database %d", many.given)
	return many.servers.URL(many.given)
}

// cluster takes a free cluster, or starts one, until the test ends.
func cluster(tb testing.TB) string {
	tb.Helper()
	var r *topology.Redis
	if n := len(many.free); n > 0 {
		r, many.free = many.free[n-1], many.free[:n-1]
		empty(tb, r)
	} else {
		r = launch(tb, topology.Options{Kind: topology.Cluster})
	}
	tb.Cleanup(func() {
		many.Lock()
		defer many.Unlock()
		many.free = append(many.free, r)
	})
	tb.Logf("redis: a cluster, %s", r.URL(0))
	return r.URL(0)
}

// launch starts a Redis for this test and later ones.
func launch(tb testing.TB, o topology.Options) *topology.Redis {
	tb.Helper()
	if many.dir == "" {
		dir, err := os.MkdirTemp("", "darkroom-redis") //nolint:usetesting // it outlives this test
		if err != nil {
			tb.Fatal(err)
		}
		many.dir = dir
		if many.life, err = removeAtEnd(dir); err != nil {
			tb.Fatal(err)
		}
	}
	o.Server, o.Away = Program(), calm
	r, err := topology.Start(tb.Context(), filepath.Join(many.dir, strconv.Itoa(len(many.all))), o)
	if err != nil {
		tb.Fatal(err)
	}
	many.all = append(many.all, r)
	return r
}

// empty removes the data of an earlier test.
func empty(tb testing.TB, r *topology.Redis) {
	tb.Helper()
	for _, node := range r.Nodes {
		rdb := node.Client()
		if err := rdb.FlushAll(tb.Context()).Err(); err != nil {
			tb.Fatal(err)
		}
		_ = rdb.Close()
	}
}

// Main returns a client of the one server behind rdb that has the keys of tests, for its statistics and
// settings.
func Main(ctx context.Context, rdb redis.UniversalClient) redis.UniversalClient {
	if cluster, is := rdb.(*redis.ClusterClient); is {
		if node, err := cluster.MasterForKey(ctx, "{darkroom}"); err == nil {
			return node
		}
	}
	return rdb
}

// connect returns a client for a URL of [topology.Redis.URL].
func connect(url string) (redis.UniversalClient, error) {
	switch Topology() {
	case topology.Cluster:
		o, err := redis.ParseClusterURL(url)
		if err != nil {
			return nil, err
		}
		o.ContextTimeoutEnabled = true
		return redis.NewClusterClient(o), nil
	case topology.Sentinel:
		o, err := redis.ParseFailoverURL(url)
		if err != nil {
			return nil, err
		}
		o.ContextTimeoutEnabled = true
		return redis.NewFailoverClient(o), nil
	default:
		o, err := redis.ParseURL(url)
		if err != nil {
			return nil, err
		}
		o.ContextTimeoutEnabled = true
		return redis.NewClient(o), nil
	}
}

// Another returns a second client of the Redis behind rdb, with the same settings and without hooks.
func Another(tb testing.TB, rdb redis.UniversalClient) redis.UniversalClient {
	tb.Helper()
	var mine redis.UniversalClient
	switch c := rdb.(type) {
	case *redis.ClusterClient:
		mine = redis.NewClusterClient(c.Options())
	case *redis.Client:
		mine = redis.NewClient(c.Options())
	default:
		tb.Fatalf("a client of another kind: %T", rdb)
	}
	tb.Cleanup(func() { _ = mine.Close() })
	return mine
}

// Need skips a test without a server to start, or fails it if one is required.
func Need(tb testing.TB) {
	tb.Helper()
	if !found(tb) {
		tb.Skip("no redis-server")
	}
}
