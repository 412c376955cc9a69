package store_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
)

// testdata/one_workspace.jsonl is all that Redis held of an app for one workspace, of the version of 25 November 2026,
// 18:29, which was killed while it worked: orders in work, in review, paused, shrunk; jobs under way, waiting, for later,
// dead; drafts, settings, a preset, what was typed into forms. A line is a key.
const oneWorkspace = "testdata/one_workspace.jsonl"

// itsTeam is that workspace, and nextDoor one of the same shard.
const itsTeam, nextDoor = "T0SANDBOX", "T0NEXT17"

// keptKey is a key of Redis with what is in it.
type keptKey struct {
	Key    string            `json:"key"`
	Life   int64             `json:"life"` // ms; 0: for ever
	String *string           `json:"string"`
	Hash   map[string]string `json:"hash"`
	List   []string          `json:"list"`
	Set    []string          `json:"set"`
	Sorted []redis.Z         `json:"sorted"`
	Stream []struct{ ID, Lane string }
}

// yesterdaysKeys are those of the file.
func yesterdaysKeys(t *testing.T) (all []keptKey) {
	t.Helper()
	raw, err := os.ReadFile(oneWorkspace)
	require.NoError(t, err)
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var k keptKey
		require.NoError(t, json.Unmarshal(lines.Bytes(), &k))
		if k.Key == "{darkroom}:q:later" {
			stillLater(k.Sorted)
		}
		if k.Key != "{darkroom}:lock:poller" { // it has run out since
			all = append(all, k)
		}
	}
	require.NoError(t, lines.Err())
	require.Greater(t, len(all), 200)
	return all
}

// stillLater moves the times of jobs into the future, and keeps their distances: the recorded times are past.
func stillLater(due []redis.Z) {
	by := float64(time.Now().Add(time.Hour).UnixMilli()) - due[0].Score
	for i := range due {
		due[i].Score += by
	}
}

// load empties Redis and puts the keys there.
func load(t *testing.T, rdb redis.UniversalClient, all []keptKey) {
	t.Helper()
	ctx := t.Context()
	eachNode(t, rdb, func(ctx context.Context, c *redis.Client) error { return c.FlushDB(ctx).Err() })
	_, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, k := range all {
			switch {
			case k.String != nil:
				p.Set(ctx, k.Key, *k.String, 0)
			case k.Hash != nil:
				p.HSet(ctx, k.Key, k.Hash)
			case k.List != nil:
				p.RPush(ctx, k.Key, anys(k.List)...)
			case k.Set != nil:
				p.SAdd(ctx, k.Key, anys(k.Set)...)
			case k.Sorted != nil:
				p.ZAdd(ctx, k.Key, k.Sorted...)
			}
			for _, entry := range k.Stream {
				p.XAdd(ctx, &redis.XAddArgs{Stream: k.Key, ID: entry.ID, Values: []string{"lane", entry.Lane}})
			}
			if k.Stream != nil {
				p.XGroupCreate(ctx, k.Key, "workers", "0")
			}
			if k.Life > 0 {
				p.PExpire(ctx, k.Key, time.Duration(k.Life)*time.Millisecond+time.Hour) // it does not leave during a test
			}
		}
		return nil
	})
	require.NoError(t, err)
}

func anys(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}

// eachNode does something on each node that has keys.
func eachNode(t *testing.T, rdb redis.UniversalClient, do func(ctx context.Context, c *redis.Client) error) {
	t.Helper()
	switch c := rdb.(type) {
	case *redis.ClusterClient:
		require.NoError(t, c.ForEachMaster(t.Context(), do))
	case *redis.Client:
		require.NoError(t, do(t.Context(), c))
	default:
		t.Fatalf("a client of another kind: %T", rdb)
	}
}

// kept is all that Redis holds now. Life is 1 of what expires.
func kept(t *testing.T, rdb redis.UniversalClient) map[string]keptKey {
	t.Helper()
	all, mu := map[string]keptKey{}, sync.Mutex{}
	eachNode(t, rdb, func(ctx context.Context, c *redis.Client) error {
		keys, err := c.Keys(ctx, "*").Result()
		for _, key := range keys {
			k := keptKey{Key: key}
			if c.PTTL(ctx, key).Val() > 0 {
				k.Life = 1
			}
			switch c.Type(ctx, key).Val() {
			case "string":
				k.String = new(c.Get(ctx, key).Val())
			case "hash":
				k.Hash = c.HGetAll(ctx, key).Val()
			case "list":
				k.List = c.LRange(ctx, key, 0, -1).Val()
			case "set":
				k.Set = c.SMembers(ctx, key).Val()
				slices.Sort(k.Set)
			case "zset":
				k.Sorted = c.ZRangeWithScores(ctx, key, 0, -1).Val()
			case "stream":
				for _, m := range c.XRange(ctx, key, "-", "+").Val() {
					lane, _ := m.Values["lane"].(string)
					k.Stream = append(k.Stream, struct{ ID, Lane string }{Lane: lane})
				}
				slices.SortFunc(k.Stream, func(a, b struct{ ID, Lane string }) int { return strings.Compare(a.Lane, b.Lane) })
			}
			mu.Lock()
			all[key] = k
			mu.Unlock()
		}
		return err
	})
	return all
}

// becomes is what is to become of yesterday's keys: those that stay, and the others by their new names.
func becomes(t *testing.T, all []keptKey) map[string]keptKey {
	t.Helper()
	want := map[string]keptKey{}
	old, own, jobs := "{darkroom}:", keyspace.OfWorkspace(itsTeam).Key(""), keyspace.Shard(keyspace.ShardOf(itsTeam)).Key("q", "")
	mine := func(name string) string { return itsTeam + "/" + name }
	var later []redis.Z
	for _, k := range all {
		k.Life = min(k.Life, 1)
		rest := strings.TrimPrefix(k.Key, old)
		family, name, _ := strings.Cut(rest, ":")
		part, name, _ := strings.Cut(name, ":")
		switch {
		case slices.Contains([]string{"heard", "turns"}, family):
			want[k.Key] = k
			continue
		case slices.Contains([]string{"connection", "poll"}, family):
			continue
		case family != "q":
			k.Key = own + rest
		case slices.Contains([]string{"claim", "stream", "sweep", "ready", "tokens", "waiting"}, part):
			continue
		default:
			k.Key = jobs + part
			if name != "" {
				k.Key += ":" + mine(name)
			}
			switch part {
			case "job":
				k.Hash = maps.Clone(k.Hash)
				k.Hash["lane"] = mine(k.Hash["lane"])
			case "lane":
				k.List = slices.Clone(k.List)
				for i, id := range k.List {
					k.List[i] = mine(id)
				}
				for i, id := range k.List {
					later = append(later, redis.Z{Score: float64(i), Member: id})
				}
				continue
			case "dead", "later", "waiting", "untold":
				k.Sorted = slices.Clone(k.Sorted)
				for i := range k.Sorted {
					k.Sorted[i].Member = mine(k.Sorted[i].Member.(string))
				}
			}
			if part == "dead" {
				both := k
				both.Key = jobs + "dead:" + itsTeam
				want[both.Key] = both
			}
		}
		if family == "q" && part == "later" {
			later = append(later, k.Sorted...)
			continue
		}
		want[k.Key] = k
	}
	slices.SortFunc(later, func(a, b redis.Z) int {
		return cmp.Or(cmp.Compare(a.Score, b.Score), strings.Compare(a.Member.(string), b.Member.(string)))
	})
	want[jobs+"later"] = keptKey{Key: jobs + "later", Sorted: later}
	want["{darkroom}:q:stream"] = keptKey{Key: "{darkroom}:q:stream", String: new("moved to workspace " + itsTeam)}
	return want
}

// requireMoved requires that all is where it belongs, and nothing else is there.
func requireMoved(t *testing.T, rdb redis.UniversalClient, want map[string]keptKey) {
	t.Helper()
	got := kept(t, rdb)
	state := got["{darkroom}:moved"].Hash
	require.Equal(t, itsTeam, state["team"])
	require.NotEmpty(t, state["done"])
	delete(got, "{darkroom}:moved")
	require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
	for key, is := range want {
		require.Equal(t, is, got[key])
	}
}

// shardOf is the queue of the workspace's shard.
func shardOf(rdb redis.UniversalClient) *queue.Queue {
	return queue.New(rdb, queue.Options{Keyspace: keyspace.Shard(keyspace.ShardOf(itsTeam)), Share: 16, Logger: slog.New(slog.DiscardHandler)})
}

// aRedis is a Redis that can copy keys, which the embedded one cannot.
func aRedis(t *testing.T) redis.UniversalClient {
	t.Helper()
	storetest.Need(t)
	if os.Getenv("DARKROOM_TEST_REDIS") == "embedded" {
		t.Skip("the embedded Redis copies no keys")
	}
	return storetest.Client(t)
}

// saved is a backup.
type saved struct {
	bytes.Buffer
	closed bool
}

func (b *saved) Close() error { b.closed = true; return nil }

// moveIt moves all of it, and returns the backup.
func moveIt(ctx context.Context, rdb redis.UniversalClient) (*saved, error) {
	backup := &saved{}
	_, err := tenants.MoveWorkspace(ctx, rdb, shardOf(rdb).In(itsTeam), backup)
	return backup, err
}

// moves is moveIt, which succeeds.
func moves(t *testing.T, rdb redis.UniversalClient) *saved {
	t.Helper()
	backup, err := moveIt(t.Context(), rdb)
	require.NoError(t, err)
	return backup
}

// read is what a store and its queue tell of yesterday's data.
func read(t *testing.T, s *store.Store, q *queue.Queue) map[string]any {
	t.Helper()
	ctx, all := t.Context(), map[string]any{}
	see := func(what string) func(v any, err error) {
		return func(v any, err error) {
			t.Helper()
			require.NoError(t, err, what)
			all[what] = v
		}
	}
	for _, id := range []string{"awrqjmrm", "d07cdvha", "o3qr7x3n", "z3qrplqk", "20f8v7zp", "7lkg17k2"} {
		see("order " + id)(s.Orders.Order(ctx, id))
		see("events " + id)(s.Orders.Events(ctx, id))
	}
	for _, id := range []string{"1cd3e1fc7d469ade", "388414b8d5d230b1", "c95ac045d2ad0e9d"} {
		see("draft " + id)(s.Drafts.Draft(ctx, id))
	}
	see("reference")(s.Orders.Find(ctx, "83A7DK"))
	see("thread")(s.Orders.ByThread(ctx, itsTeam, "C0SHOOTS", "1795638424.856236"))
	see("active")(s.Active(ctx))
	lagging, err := s.Announcements.Unannounced(ctx)
	slices.Sort(lagging)
	see("lagging")(lagging, err)
	see("channels")(s.Orders.Channels(ctx, itsTeam))
	listed, total, err := s.Orders.InChannels(ctx, itsTeam, []string{"C0SHOOTS"}, nil, 0, 50)
	require.Equal(t, 6, total)
	see("listed")(listed, err)
	asked, _, err := s.Orders.Requested(ctx, itsTeam, "U0MARIA", nil, 0, 50)
	see("requested")(asked, err)
	see("settings")(s.Settings.Of(ctx, itsTeam, "C0SHOOTS"))
	see("presets")(s.Presets.In(ctx, itsTeam, "C0SHOOTS"))
	dead, err := q.DeadLetters().List(ctx, 0)
	for i := range dead {
		dead[i].Tenant = ""
	}
	see("dead")(dead, err)
	return all
}

// TestTheDataOfOneWorkspaceBecomesThatOfOneAmongMany: every key is there under its new name, today's store reads what it
// read before, another workspace of the shard with equal ids keeps what it has, and each job is done once.
func TestTheDataOfOneWorkspaceBecomesThatOfOneAmongMany(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	all := yesterdaysKeys(t)
	load(t, rdb, all)
	old := queue.New(rdb, queue.Options{})
	before := read(t, store.New(rdb, old), old)

	require.Equal(t, keyspace.ShardOf(itsTeam), keyspace.ShardOf(nextDoor), "they share a queue")
	shard := shardOf(rdb)
	other, others := store.New(rdb, shard.In(nextDoor)), shard.In(nextDoor)
	for _, id := range []string{"awrqjmrm", "20f8v7zp"} {
		place(t, other, id)
	}
	for _, id := range []string{"late-aa", "dead-1"} {
		_, err := others.PutAfter(t.Context(), queue.Job{ID: id, Lane: "late:a", Kind: "theirs"}, time.Hour)
		require.NoError(t, err)
	}
	theirs := func() map[string]keptKey {
		is := kept(t, rdb)
		maps.DeleteFunc(is, func(key string, _ keptKey) bool { return !mentions(key, nextDoor) })
		return is
	}
	theirsBefore := theirs()
	require.NotEmpty(t, theirsBefore)

	one, err := tenants.OneWorkspace(t.Context(), rdb)
	require.NoError(t, err)
	require.True(t, one)
	moves(t, rdb)
	one, err = tenants.OneWorkspace(t.Context(), rdb)
	require.NoError(t, err)
	require.False(t, one)

	now := store.New(rdb, shard.In(itsTeam))
	require.Equal(t, before, read(t, now, shard.In(itsTeam)))
	require.Equal(t, theirsBefore, theirs())
	connection, err := now.Connection.Read(t.Context())
	require.NoError(t, err)
	require.False(t, connection.Other(tenants.ServiceAccount{URL: "https://any.example.com", Key: "k"}), "any account may be connected")
}

// TestNothingElseIsWhereAWorkspaceWasMoved compares all of Redis, key by key.
func TestNothingElseIsWhereAWorkspaceWasMoved(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	all := yesterdaysKeys(t)
	load(t, rdb, all)
	moves(t, rdb)
	requireMoved(t, rdb, becomes(t, all))
	moves(t, rdb) // again it does nothing
	requireMoved(t, rdb, becomes(t, all))
}

// TestEachJobThatWasMovedIsDoneOnceInItsPlace works on the queue afterwards.
func TestEachJobThatWasMovedIsDoneOnceInItsPlace(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	all := yesterdaysKeys(t)
	load(t, rdb, all)
	lanes := map[string][]string{}
	for _, k := range all {
		if lane, is := strings.CutPrefix(k.Key, "{darkroom}:q:lane:"); is {
			lanes[lane] = k.List
		}
	}
	require.NotEmpty(t, lanes)
	moves(t, rdb)
	shard, done, mu := shardOf(rdb), map[string][]string{}, sync.Mutex{}
	first := map[string]bool{}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- shard.Run(ctx, func(_ context.Context, d *queue.Delivery) error {
			mu.Lock()
			defer mu.Unlock()
			done[d.Lane], first[d.ID] = append(done[d.Lane], d.ID), d.First
			return nil
		})
	}()
	require.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(slices.Concat(slices.Collect(maps.Values(done))...)) >= len(slices.Concat(slices.Collect(maps.Values(lanes))...))
	}, 30*time.Second, time.Millisecond)
	stop()
	require.NoError(t, <-ended)
	require.Equal(t, lanes, done)
	require.False(t, first["place:1cd3e1fc7d469ade:1"], "who was at it when it was killed may have done it")
}

var errKilled = errors.New("killed")

// mortal is a hook under which a process dies at its nth command: before Redis hears of it, or before it hears of Redis.
type mortal struct {
	left  atomic.Int64
	after bool
}

func (m *mortal) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (m *mortal) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		return m.dies(cmd.SetErr, func() error { return next(ctx, cmd) })
	}
}

func (m *mortal) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		return m.dies(func(err error) {
			for _, cmd := range cmds {
				cmd.SetErr(err)
			}
		}, func() error { return next(ctx, cmds) })
	}
}

func (m *mortal) dies(tell func(error), do func() error) error {
	left := m.left.Add(-1)
	if left > 0 {
		return do()
	}
	if left == 0 && m.after {
		_ = do()
	}
	tell(errKilled)
	return errKilled
}

// TestAMoveThatIsKilledAnywhereGoesOn kills it at many of its commands, mostly several times, and then lets it end.
func TestAMoveThatIsKilledAnywhereGoesOn(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	all := yesterdaysKeys(t)
	want := becomes(t, all)
	seed := uint64(25)
	random := rand.New(rand.NewPCG(seed, 11)) //nolint:gosec // a course that can be repeated
	deaths := 0
	runs := 40
	if os.Getenv("DARKROOM_TEST_EVERY") != "" {
		runs = 1200
	}
	for run := range runs {
		load(t, rdb, all)
		for life := 0; ; life++ {
			m := &mortal{after: random.IntN(2) == 0}
			m.left.Store(int64(1 + random.IntN(260)))
			if runs > 1000 && life == 0 {
				m.left.Store(int64(1 + run/2))
				m.after = run%2 == 0
			}
			if life == 4 {
				m.left.Store(1 << 40)
			}
			mine := storetest.Another(t, rdb)
			mine.AddHook(m)
			_, err := moveIt(t.Context(), mine)
			require.NoError(t, mine.Close())
			if err == nil {
				break
			}
			deaths++
			require.ErrorIs(t, err, errKilled)
		}
		requireMoved(t, rdb, want)
	}
	t.Log("killed ", deaths, " times in ", runs, " moves")
	require.Greater(t, deaths, runs/2)
}

// full is a backup on a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errKilled }
func (full) Close() error              { return errKilled }

// TestAnAppForOneCanDoNothingOnceAMoveBegan: one that starts meanwhile, or afterwards, accepts nothing.
func TestAnAppForOneCanDoNothingOnceAMoveBegan(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	load(t, rdb, yesterdaysKeys(t))
	_, err := tenants.MoveWorkspace(t.Context(), rdb, shardOf(rdb).In(itsTeam), full{})
	require.ErrorIs(t, err, errKilled)
	moved, err := tenants.MovedTo(t.Context(), rdb)
	require.NoError(t, err)
	require.Equal(t, tenants.Moved{Team: itsTeam}, moved)
	for range 2 {
		old := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
		_, err = old.Put(t.Context(), queue.Job{ID: "late", Lane: "late", Kind: "k"})
		require.Error(t, err)
		_, err = store.New(rdb, old).Changes.AddOrder(t.Context(), store.NewOrder{ID: "late", Owner: owner, Order: order.Order{Status: order.StatusEditing}})
		require.Error(t, err)
		moves(t, rdb)
	}
	moved, err = tenants.MovedTo(t.Context(), rdb)
	require.NoError(t, err)
	require.Equal(t, tenants.Moved{Team: itsTeam, Done: true}, moved)
}

// TestAMoveIsOfOneWorkspace, and never onto orders that are there.
func TestAMoveIsOfOneWorkspace(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	all := yesterdaysKeys(t)
	load(t, rdb, all)
	moves(t, rdb)
	_, err := tenants.MoveWorkspace(t.Context(), rdb, shardOf(rdb).In("T0OTHER"), &saved{})
	require.ErrorIs(t, err, tenants.ErrMovesOther)

	load(t, rdb, all)
	place(t, store.New(rdb, shardOf(rdb).In(itsTeam)), "1")
	before := kept(t, rdb)
	_, err = moveIt(t.Context(), rdb)
	require.ErrorIs(t, err, tenants.ErrHasOrders)
	require.Equal(t, before, kept(t, rdb))
}

// pipe gives a backup to the Redis that had the data, as redis-cli --pipe does.
func pipe(t *testing.T, rdb redis.UniversalClient, backup *saved) {
	t.Helper()
	require.True(t, backup.closed)
	var at string
	var db int
	eachNode(t, rdb, func(ctx context.Context, c *redis.Client) error {
		if c.Exists(ctx, "{darkroom}:moved").Val() == 1 {
			at, db = c.Options().Addr, c.Options().DB
		}
		return nil
	})
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", at)
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	go func() { _, _ = fmt.Fprintf(conn, "SELECT %d\r\n%sPING\r\n", db, backup.Bytes()) }()
	for answers := bufio.NewScanner(conn); answers.Scan() && answers.Text() != "+PONG"; {
		require.NotContains(t, answers.Text(), "-", "an error")
	}
}

// TestABackupUndoesAMove, also when it is put back twice; but there is no stream: the lanes that are ready get new tokens.
func TestABackupUndoesAMove(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	load(t, rdb, yesterdaysKeys(t))
	before := kept(t, rdb)
	delete(before, "{darkroom}:q:stream")
	backup := moves(t, rdb)
	again := &saved{*bytes.NewBuffer(slices.Clone(backup.Bytes())), true}
	pipe(t, rdb, backup)
	require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:moved", "team", itsTeam).Err())
	pipe(t, rdb, again)
	now := kept(t, rdb)
	maps.DeleteFunc(now, func(key string, _ keptKey) bool { return !strings.HasPrefix(key, "{darkroom}:") })
	require.Equal(t, before, now)
}

// TestTheRunOfRedisGoesOn on one server: nothing was forgotten because other keys have the data now. Another server of a
// Cluster is in another run, so that jobs verify before they send.
func TestTheRunOfRedisGoesOn(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	load(t, rdb, yesterdaysKeys(t))
	was, err := store.New(rdb, queue.New(rdb, queue.Options{})).Server.Run(t.Context())
	require.NoError(t, err)
	moves(t, rdb)
	is, err := store.New(rdb, shardOf(rdb).In(itsTeam)).Server.Run(t.Context())
	require.NoError(t, err)
	if _, many := rdb.(*redis.ClusterClient); many {
		require.NotEqual(t, was, is)
		return
	}
	require.Equal(t, was, is)
}
