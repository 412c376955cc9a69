package queue

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"darkroom/store/storetest"
	"darkroom/store/storetest/topology"
)

var shared struct {
	sync.Once
	server *server
}

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("rapid.checks", "12"); err != nil {
		panic(err)
	}
	path, err := exec.LookPath(storetest.Program())
	if err != nil {
		path = "none on PATH: the embedded one only"
	}
	fmt.Println("redis-server:", path, storetest.Topology())
	goleak.VerifyTestMain(withRedis{m}, goleak.Cleanup(func(code int) {
		if shared.server != nil {
			shared.server.kill()
			_ = os.RemoveAll(shared.server.dir)
		}
		os.Exit(code)
	}))
}

// withRedis runs the tests and then ends what they shared, before anybody looks for what was left over.
type withRedis struct{ *testing.M }

func (m withRedis) Run() int {
	defer storetest.Shut()
	return m.M.Run()
}

// server is a real redis-server of a test.
type server struct {
	dir, socket string
	args        []string
	cmd         *exec.Cmd
}

func startServer(dir string, args ...string) (*server, error) {
	s := &server{dir: dir, socket: filepath.Join(dir, "redis.sock"), args: args}
	return s, s.start()
}

// start starts it and waits until it answers: it has loaded its data by then.
func (s *server) start() error {
	args := append([]string{"--port", "0", "--unixsocket", s.socket, "--dir", s.dir, "--save", "", "--hz", "100"}, s.args...)
	s.cmd = exec.CommandContext(context.Background(), storetest.Program(), args...) //nolint:gosec // the program that whoever tests names
	if err := s.cmd.Start(); err != nil {
		return err
	}
	rdb := s.client()
	defer func() { _ = rdb.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		err := rdb.Ping(ctx).Err()
		if err == nil || ctx.Err() != nil {
			tick.Stop()
			return err
		}
		<-tick.C
	}
}

func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

func (s *server) client() *redis.Client {
	o := clientOptions()
	o.Network, o.Addr = "unix", s.socket
	return redis.NewClient(o)
}

func clientOptions() *redis.Options {
	return &redis.Options{
		ContextTimeoutEnabled: true, DisableIdentity: true, PoolSize: 100,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
}

// realRedis returns a client of the redis-server all tests share.
func realRedis(t *testing.T) redis.UniversalClient {
	t.Helper()
	needServer(t)
	if storetest.Topology() != topology.One {
		return storetest.Client(t)
	}
	shared.Do(func() {
		dir, err := os.MkdirTemp("", "queue") //nolint:usetesting // it outlives this test
		require.NoError(t, err)
		shared.server, err = startServer(dir)
		require.NoError(t, err)
	})
	rdb := shared.server.client()
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

func needServer(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath(storetest.Program()); err != nil {
		require.Empty(t, os.Getenv("DARKROOM_TEST_REQUIRE_REDIS"), "a real Redis is required, and there is no redis-server on PATH")
		t.Skip("no redis-server on PATH")
	}
}

// embedded returns a client of an embedded Redis, by pipes: it works in a bubble.
func embedded(t *testing.T) *redis.Client {
	t.Helper()
	m := storetest.NewInProcess()
	o := clientOptions()
	o.DialerRetries = 1 // a dial that fails as the test ends is not tried again: its wait would outlive the bubble
	o.Dialer = func(context.Context, string, string) (net.Conn, error) { return m.Dial() }
	rdb := redis.NewClient(o)
	t.Cleanup(func() {
		_ = rdb.Close()
		m.Close()
	})
	return rdb
}

// everyRedis runs a test over the real and the embedded Redis; over a cluster or behind Sentinels
// alone, when these are asked for.
func everyRedis(t *testing.T, test func(t *testing.T, rdb redis.UniversalClient)) {
	t.Helper()
	t.Run("redis-server", func(t *testing.T) { test(t, realRedis(t)) })
	if storetest.Topology() != topology.One {
		return
	}
	t.Run("embedded", func(t *testing.T) { test(t, embedded(t)) })
}

// bubble runs a test over the embedded Redis where time costs nothing.
func bubble(t *testing.T, test func(t *testing.T, rdb redis.UniversalClient)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, embedded(t)) })
}

// inBubble says whether time costs nothing: a bubble's clock starts in 2000.
func inBubble() bool { return time.Now().Year() == 2000 }

var names atomic.Int64

// newQueue returns a queue of its own name that retries at once.
func newQueue(t *testing.T, rdb redis.UniversalClient, o Options) *Queue {
	t.Helper()
	if o.Name == "" {
		o.Name = fmt.Sprintf("test%d", names.Add(1))
	}
	if o.Backoff == nil {
		o.Backoff = func(int) time.Duration { return time.Millisecond }
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Idle == 0 && !inBubble() {
		o.Idle = 10 * time.Millisecond
	}
	return New(rdb, o)
}

// runs is a [Queue] or a [mortal] one.
type runs interface {
	Run(ctx context.Context, h Handler) error
}

// errKilled is what [mortal.Run] returns when it was killed.
var errKilled = errors.New("killed")

// mortal is a queue whose process can die without a word.
type mortal struct {
	*Queue
	life context.Context
	kill context.CancelFunc
}

func newMortal(t *testing.T, rdb redis.UniversalClient, o Options) *mortal {
	t.Helper()
	m := &mortal{Queue: newQueue(t, rdb, o)}
	m.life, m.kill = context.WithCancel(context.Background())
	t.Cleanup(m.kill)
	return m
}

// Run runs the queue until ctx ends or it is killed: then it reaches Redis no more.
func (m *mortal) Run(ctx context.Context, h Handler) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(m.life, stop)()
	err := m.run(ctx, m.life, h)
	if m.life.Err() != nil {
		return errKilled
	}
	return err
}

// running runs a queue until the returned function is called or the test ends.
func running(t *testing.T, q runs, h Handler) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background()) // not the test's: stop drains before the client closes
	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx, h) }()
	stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { _ = stop() })
	return stop
}

// put puts jobs "lane/name" in their lanes.
func put(t *testing.T, q *Queue, ids ...string) {
	t.Helper()
	for _, id := range ids {
		added, err := q.Put(t.Context(), job(id))
		require.NoError(t, err)
		require.True(t, added, "%s is new", id)
	}
}

func job(id string) Job {
	lane, _, _ := strings.Cut(id, "/")
	return Job{ID: id, Lane: lane, Kind: "test", Body: json.RawMessage(`{"n":1}`)}
}

// receive takes one value from a channel, or fails.
func receive[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(30 * time.Second):
		require.FailNow(t, "nothing came")
		panic("unreachable")
	}
}

// settled waits until no job is left in any lane.
func settled(t *testing.T, q *Queue) {
	t.Helper()
	tick := 2 * time.Millisecond
	if inBubble() {
		tick = 50 * time.Millisecond
	}
	require.Eventually(t, func() bool {
		s, err := q.Inspector().Stats(context.Background())
		return err == nil && s.Jobs+s.Delayed == 0
	}, 20*time.Second, tick)
}

// syncBuffer is a log that loops write and a test reads.
type syncBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *syncBuffer) count(message string) int { return strings.Count(s.String(), message) }

func (s *syncBuffer) logger() *slog.Logger { return slog.New(slog.NewTextHandler(s, nil)) }

// keysOf are the keys of a pattern, on whichever nodes they are.
func keysOf(ctx context.Context, rdb redis.UniversalClient, pattern string) ([]string, error) {
	cluster, is := rdb.(*redis.ClusterClient)
	if !is {
		return rdb.Keys(ctx, pattern).Result()
	}
	node, err := cluster.MasterForKey(ctx, strings.TrimSuffix(pattern, "*"))
	if err != nil {
		return nil, err
	}
	return node.Keys(ctx, pattern).Result()
}
