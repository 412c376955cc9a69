package store_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	"golang.org/x/sync/errgroup"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/settingstest"
	"darkroom/store/storetest"
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

// stillLater moves the times of jobs into the future, as far apart as they were: that of which they were is past.
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
	tokens := map[string]string{}
	var entries []struct{ ID, Lane string }
	for _, k := range all {
		k.Life = min(k.Life, 1)
		rest := strings.TrimPrefix(k.Key, old)
		family, name, _ := strings.Cut(rest, ":")
		part, name, _ := strings.Cut(name, ":")
		switch {
		case slices.Contains([]string{"heard", "turns"}, family):
			want[k.Key] = k
			continue
		case family == "run":
			want[k.Key] = k // the server of this test is in another: what is here begins anew
			continue
		case family != "q":
			k.Key = own + rest
		case slices.Contains([]string{"claim", "stream", "sweep", "ready", "tokens"}, part):
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
				tokens[mine(name)] = "an entry"
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
		want[k.Key] = k
	}
	for _, z := range want[jobs+"waiting"].Sorted {
		tokens[z.Member.(string)] = "waiting"
	}
	for lane, token := range tokens {
		if token != "waiting" {
			entries = append(entries, struct{ ID, Lane string }{Lane: lane})
		}
	}
	slices.SortFunc(entries, func(a, b struct{ ID, Lane string }) int { return strings.Compare(a.Lane, b.Lane) })
	want[jobs+"tokens"] = keptKey{Key: jobs + "tokens", Hash: tokens}
	want[jobs+"stream"] = keptKey{Key: jobs + "stream", Stream: entries}
	want[jobs+"shares"] = keptKey{Key: jobs + "shares", Hash: map[string]string{itsTeam: "6"}}
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
	tokens := got[keyspace.Shard(keyspace.ShardOf(itsTeam)).Key("q", "tokens")].Hash
	for lane, token := range tokens {
		if token != "waiting" {
			tokens[lane] = "an entry"
		}
	}
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

func moveIt(ctx context.Context, rdb redis.UniversalClient) error {
	return store.MoveWorkspace(ctx, rdb, shardOf(rdb), itsTeam, slog.New(slog.DiscardHandler))
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
		see("order " + id)(s.Order(ctx, id))
		see("events " + id)(s.Events(ctx, id))
	}
	for _, id := range []string{"1cd3e1fc7d469ade", "388414b8d5d230b1", "c95ac045d2ad0e9d"} {
		see("draft " + id)(s.Draft(ctx, id))
	}
	see("reference")(s.Find(ctx, "83A7DK"))
	see("thread")(s.ByThread(ctx, itsTeam, "C0SHOOTS", "1795638424.856236"))
	see("active")(s.Active(ctx))
	lagging, err := s.Unannounced(ctx)
	slices.Sort(lagging)
	see("lagging")(lagging, err)
	see("channels")(s.Channels(ctx, itsTeam))
	listed, total, err := s.InChannels(ctx, itsTeam, []string{"C0SHOOTS"}, nil, 0, 50)
	require.Equal(t, 6, total)
	see("listed")(listed, err)
	asked, _, err := s.Requested(ctx, itsTeam, "U0MARIA", nil, 0, 50)
	see("requested")(asked, err)
	see("settings")(s.Settings(ctx, itsTeam, "C0SHOOTS"))
	see("presets")(s.Presets(ctx, itsTeam, "C0SHOOTS"))
	dead, err := q.DeadLetters().List(ctx, 0)
	for i := range dead {
		dead[i].Tenant = ""
	}
	see("dead")(dead, err)
	for _, lane := range []string{"channel:" + itsTeam + ":C0SHOOTS", "order:d07cdvha", "late:a"} {
		behind, err := q.Inspector().Behind(ctx, lane, 50)
		for i := range behind {
			behind[i].Tenant = ""
		}
		see("lane "+lane)(behind, err)
	}
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

	team, needs, err := store.NeedsMoving(t.Context(), rdb)
	require.NoError(t, err)
	require.True(t, needs)
	require.Equal(t, itsTeam, team)
	team, err = store.AwaitMove(t.Context(), rdb, func(string) *queue.Queue { return shard }, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Equal(t, itsTeam, team)
	_, needs, err = store.NeedsMoving(t.Context(), rdb)
	require.NoError(t, err)
	require.False(t, needs)

	now := store.New(rdb, shard.In(itsTeam))
	require.Equal(t, before, read(t, now, shard.In(itsTeam)))
	require.Equal(t, theirsBefore, theirs())
	connection, err := now.Connection(t.Context())
	require.NoError(t, err)
	require.False(t, connection.Other(store.ServiceAccount{URL: "https://any.example.com", Key: "k"}), "any account may be connected")
}

// TestNothingElseIsWhereAWorkspaceWasMoved compares all of Redis, key by key.
func TestNothingElseIsWhereAWorkspaceWasMoved(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	all := yesterdaysKeys(t)
	load(t, rdb, all)
	require.NoError(t, moveIt(t.Context(), rdb))
	requireMoved(t, rdb, becomes(t, all))
	require.NoError(t, moveIt(t.Context(), rdb), "again it does nothing")
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
	require.NoError(t, moveIt(t.Context(), rdb))
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
		stats, err := shard.Inspector().Stats(t.Context())
		return err == nil && stats.Lanes == 0
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
			err := moveIt(t.Context(), mine)
			require.NoError(t, mine.Close())
			if err == nil {
				break
			}
			deaths++
			require.ErrorIs(t, err, errKilled)
			require.NoError(t, rdb.Del(t.Context(), "{darkroom}:lock:poller").Err()) // its lease is over
		}
		requireMoved(t, rdb, want)
	}
	t.Log("killed ", deaths, " times in ", runs, " moves")
	require.Greater(t, deaths, runs/2)
}

// TestNothingMovesWhileAnEarlierVersionRuns: it works on jobs, or it polls.
func TestNothingMovesWhileAnEarlierVersionRuns(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	load(t, rdb, yesterdaysKeys(t))
	before := kept(t, rdb)
	old := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})

	require.NoError(t, rdb.XGroupCreateConsumer(t.Context(), "{darkroom}:q:stream", "workers", "host-1").Err())
	require.ErrorIs(t, moveIt(t.Context(), rdb), store.ErrStillServed)
	require.NoError(t, rdb.XGroupDelConsumer(t.Context(), "{darkroom}:q:stream", "workers", "host-1").Err())

	poller := store.New(rdb, old).Lock("poller", time.Minute)
	held, err := poller.Hold(t.Context())
	require.NoError(t, err)
	require.True(t, held)
	require.ErrorIs(t, moveIt(t.Context(), rdb), store.ErrStillServed)
	require.NoError(t, poller.Release(t.Context()))
	require.Equal(t, before, kept(t, rdb), "nothing was written")

	require.NoError(t, moveIt(t.Context(), rdb))
	_, err = old.Put(t.Context(), queue.Job{ID: "late", Lane: "late", Kind: "k"})
	require.Error(t, err, "one that starts afterwards can accept nothing")
	_, err = store.New(rdb, old).AddOrder(t.Context(), store.NewOrder{ID: "late", Owner: owner, Order: order.Order{Status: order.StatusEditing}})
	require.Error(t, err)
}

// TestAMoveIsOfOneWorkspaceAndOneReplica, and never onto orders that are there.
func TestAMoveIsOfOneWorkspaceAndOneReplica(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	all := yesterdaysKeys(t)
	load(t, rdb, all)
	mine := storetest.Another(t, rdb)
	m := &mortal{}
	m.left.Store(100)
	mine.AddHook(m)
	require.ErrorIs(t, moveIt(t.Context(), mine), errKilled)
	team, needs, err := store.NeedsMoving(t.Context(), rdb)
	require.NoError(t, err)
	require.True(t, needs, "it has begun and not ended")
	require.Equal(t, itsTeam, team)
	require.ErrorIs(t, moveIt(t.Context(), rdb), store.ErrMoving, "the lease of the dead one lasts")
	err = store.MoveWorkspace(t.Context(), rdb, shardOf(rdb), "T0OTHER", slog.New(slog.DiscardHandler))
	require.ErrorIs(t, err, store.ErrMovesOther)

	load(t, rdb, all)
	place(t, store.New(rdb, shardOf(rdb).In(itsTeam)), "1")
	before := kept(t, rdb)
	require.ErrorIs(t, moveIt(t.Context(), rdb), store.ErrHasOrders)
	require.Equal(t, before, kept(t, rdb))
}

// TestReplicasThatStartTogetherMoveOnceAndWait: all come back when all is moved, whichever moved it.
func TestReplicasThatStartTogetherMoveOnceAndWait(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	all := yesterdaysKeys(t)
	load(t, rdb, all)
	var replicas errgroup.Group
	for range 4 {
		mine := storetest.Another(t, rdb)
		replicas.Go(func() error {
			_, err := store.AwaitMove(t.Context(), mine, func(string) *queue.Queue { return shardOf(mine) }, slog.New(slog.DiscardHandler))
			if err == nil && mine.HGet(t.Context(), "{darkroom}:moved", "done").Val() == "" {
				err = errors.New("it did not wait")
			}
			return err
		})
	}
	require.NoError(t, replicas.Wait())
	requireMoved(t, rdb, becomes(t, all))

	load(t, rdb, all)
	require.NoError(t, rdb.XGroupCreateConsumer(t.Context(), "{darkroom}:q:stream", "workers", "host-1").Err())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := store.AwaitMove(ctx, rdb, func(string) *queue.Queue { return shardOf(rdb) }, slog.New(slog.DiscardHandler))
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// TestTheRunOfRedisGoesOn: nothing was forgotten because other keys, or another server, have the data now.
func TestTheRunOfRedisGoesOn(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	all := yesterdaysKeys(t)
	load(t, rdb, all)
	old := queue.New(rdb, queue.Options{})
	was, err := store.New(rdb, old).Run(t.Context())
	require.NoError(t, err)
	run, err := old.Inspector().RunOf(t.Context())
	require.NoError(t, err)
	require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:q:job:place:1cd3e1fc7d469ade:1", "run", run).Err())
	require.NoError(t, moveIt(t.Context(), rdb))
	shard := shardOf(rdb)
	is, err := store.New(rdb, shard.In(itsTeam)).Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, was.Since, is.Since)
	job := func(id string) string {
		return rdb.HGet(t.Context(), shard.Keyspace().Key("q", "job", itsTeam+"/"+id), "run").Val()
	}
	here, err := shard.Inspector().RunOf(t.Context())
	require.NoError(t, err)
	require.Equal(t, here, job("place:1cd3e1fc7d469ade:1"))
	require.NotEqual(t, here, job("dead-1"), "it was put in another run")
}

// TestWhoseDataItIs: of several workspaces that are named, the one with most orders; and without data nobody's.
func TestWhoseDataItIs(t *testing.T) {
	t.Parallel()
	rdb := aRedis(t)
	needs := func() (team string) {
		t.Helper()
		team, needs, err := store.NeedsMoving(t.Context(), rdb)
		require.NoError(t, err)
		require.Equal(t, team != "", needs)
		return team
	}
	require.Empty(t, needs())
	s := newStore(rdb)
	from := func(team, id string) {
		t.Helper()
		_, err := s.AddOrder(t.Context(), store.NewOrder{
			ID: id, Owner: store.Owner{Team: team, Channel: "C" + id, Requester: "UMARIA"}, Order: order.Order{Status: order.StatusEditing},
		})
		require.NoError(t, err)
	}
	settingstest.Save(t, s, "T3", "C1", store.Settings{Relay: store.RelayReplies})
	require.Empty(t, needs(), "nobody ever worked here")
	from("T1", "1")
	require.Equal(t, "T1", needs())
	from("T2", "2")
	from("T2", "3")
	require.Equal(t, "T2", needs())
	settingstest.Save(t, s, "T3", "C2", store.Settings{Relay: store.RelayReplies})
	require.Equal(t, "T2", needs())
}
