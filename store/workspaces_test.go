package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/ratelimit"
	"darkroom/store/storetest"
	"darkroom/store/storetest/topology"
)

// neighbours returns the stores of two workspaces in one shard. The data of one has W1, of the other W2; all else is
// equal: teams, channels, people, orders, drafts, names of documents.
func neighbours(rdb redis.UniversalClient) (shard *queue.Queue, one, two *store.Store) {
	shard = queue.New(rdb, queue.Options{Keyspace: keyspace.Shard(3), Share: 4, Logger: slog.New(slog.DiscardHandler)})
	return shard, store.New(rdb, shard.In("W1")), store.New(rdb, shard.In("W2"))
}

// TestNoFunctionOfAStoreLeavesItsWorkspace calls everything that a store exports, with ids that are in use in two
// workspaces, and requires of every command that Redis ran, those within scripts too, that it named nothing of the other.
func TestNoFunctionOfAStoreLeavesItsWorkspace(t *testing.T) {
	if storetest.Topology() != topology.One {
		t.Skip("one server tells what it runs")
	}
	rdb := storetest.Client(t)
	shard, one, two := neighbours(rdb)
	useEverything(t, one, shard, rdb)
	useEverything(t, two, shard, rdb)
	for _, s := range []*store.Store{one, two} {
		place(t, s, "1")
		place(t, s, "2")
		require.NoError(t, s.Documents.PutTTL(t.Context(), "a", 1, time.Hour))
	}
	before := of(dump(t, rdb), "W1")
	require.NotEmpty(t, before)
	tagged, allowed := regexp.MustCompile(`\{darkroom:\d+\}:`), regexp.MustCompile(`\{darkroom:907\}:(W2:|q:|poll:|absent)`)

	ran, space := storetest.Monitor(t, rdb), shard.In("W2").Keyspace()
	w := walker{t: t, rand: rand.New(rand.NewPCG(1, 2))} //nolint:gosec // a walk that can be repeated
	called := w.callAll(append(parts(two), kv.DB{Redis: rdb, Space: two.Keyspace()}.Lock("poller", time.Hour), ratelimit.NewChannels(rdb, space), ratelimit.NewReads(rdb, space, two.Documents),
		ratelimit.NewRate(rdb, space, 1000).People(), ratelimit.NewRate(rdb, space, 1000).Background())...)
	require.Greater(t, called, 100, "there are that many")
	finish(t, shard)

	own, foreign := 0, []string(nil)
	for _, command := range ran() {
		if mentions(command, "W2") {
			own++
		}
		if mentions(command, "W1") || len(tagged.FindAllString(command, -1)) > len(allowed.FindAllString(command, -1)) {
			foreign = append(foreign, command)
		}
	}
	require.Greater(t, own, 1000, "the walk did something")
	require.Empty(t, foreign)
	after := of(dump(t, rdb), "W1")
	for _, expires := range []map[string]string{before, after} {
		delete(expires, "{darkroom:907}:W1:turns")
	}
	require.Equal(t, before, after)
}

// mentions tells whether a command names a key of a workspace, or a lane or a job of it.
func mentions(command, workspace string) bool {
	return strings.Contains(command, "}:"+workspace+":") || strings.Contains(command, workspace+"/")
}

// of are the keys of a workspace and what is in them.
func of(all map[string]string, workspace string) map[string]string {
	maps.DeleteFunc(all, func(key, _ string) bool { return !mentions(key, workspace) })
	return all
}

// parts are a store and its parts.
func parts(s *store.Store) []any {
	all := []any{s}
	for field, part := range reflect.ValueOf(s).Elem().Fields() {
		if field.IsExported() {
			all = append(all, part.Interface())
		}
	}
	return all
}

// walker calls whatever there is with whatever fits.
type walker struct {
	t    *testing.T
	rand *rand.Rand
}

// tries is how often each method is called, with other arguments.
const tries = 40

// callAll calls every exported method of these, and returns how many there were.
func (w walker) callAll(all ...any) (methods int) {
	for _, one := range all {
		v := reflect.ValueOf(one)
		for m, f := range v.Methods() {
			methods++
			for range tries {
				w.call(m.Name, f)
			}
		}
	}
	return methods
}

// call calls a method. What it answers is its own affair: that there is no such order, as a rule.
func (w walker) call(name string, f reflect.Value) {
	ctx, cancel := context.WithTimeout(w.t.Context(), 10*time.Second)
	defer cancel()
	in := make([]reflect.Value, f.Type().NumIn())
	for i := range in {
		kind := f.Type().In(i)
		if kind == reflect.TypeFor[context.Context]() {
			in[i] = reflect.ValueOf(ctx)
			continue
		}
		in[i] = w.value(kind, 0)
	}
	call := f.Call
	if f.Type().IsVariadic() {
		call = f.CallSlice
	}
	require.NotPanics(w.t, func() { call(in) }, name)
}

// usedIDs are in use in both workspaces.
var usedIDs = []string{"1", "2", "d1", "T1", "C1", "C2", "UMARIA", "a", "1.1", "1.3", "REF1", "REF2"}

// value makes a value of a kind.
func (w walker) value(kind reflect.Type, depth int) reflect.Value {
	v := reflect.New(kind).Elem()
	switch kind {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(1_700_000_000, 0)))
		return v
	case reflect.TypeFor[time.Duration]():
		v.SetInt(int64(time.Minute))
		return v
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(`{}`))
		return v
	case reflect.TypeFor[io.Writer]():
		v.Set(reflect.ValueOf(io.Discard))
		return v
	case reflect.TypeFor[order.Status]():
		v.SetString(string(order.StatusCanceled))
		return v
	}
	w.fill(v, depth)
	return v
}

func (w walker) fill(v reflect.Value, depth int) {
	switch kind := v.Type(); v.Kind() {
	case reflect.String:
		v.SetString(usedIDs[w.rand.IntN(len(usedIDs))])
	case reflect.Bool:
		v.SetBool(w.rand.IntN(2) == 1)
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(int64(1 + w.rand.IntN(2)))
	case reflect.Uint64:
		v.SetUint(uint64(w.rand.IntN(2)))
	case reflect.Struct:
		for i := range v.NumField() {
			if kind.Field(i).IsExported() && depth < 4 {
				v.Field(i).Set(w.value(kind.Field(i).Type, depth+1))
			}
		}
	case reflect.Slice:
		if depth < 4 {
			v.Set(reflect.Append(v, w.value(kind.Elem(), depth+1)))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(kind))
		v.SetMapIndex(w.value(kind.Key(), depth+1), w.value(kind.Elem(), depth+1))
	case reflect.Pointer:
		if depth < 4 {
			v.Set(reflect.New(kind.Elem()))
			v.Elem().Set(w.value(kind.Elem(), depth+1))
		}
	case reflect.Interface:
		if kind.NumMethod() == 0 {
			v.Set(reflect.ValueOf(new(any)))
		}
	case reflect.Func:
		v.Set(reflect.MakeFunc(kind, func([]reflect.Value) []reflect.Value {
			out := make([]reflect.Value, kind.NumOut())
			for i := range out {
				out[i] = reflect.New(kind.Out(i)).Elem()
				if kind.Out(i).Kind() == reflect.Bool {
					out[i].SetBool(true)
				}
			}
			return out
		}))
	default:
		require.FailNow(w.t, "the walk knows no "+fmt.Sprint(kind))
	}
}

// TestEveryKeyOfAWorkspaceCarriesIt: what a workspace keeps is under its own name, in the slot of its shard.
func TestEveryKeyOfAWorkspaceCarriesIt(t *testing.T) {
	each(t, func(t *testing.T, _ *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		shard, one, _ := neighbours(rdb)
		own, queues, polls := keyspace.Shard(3).In("W1").Key(""), keyspace.Shard(3).Key("q", ""), keyspace.Shard(3).Key("poll", "")
		var others []string
		for _, key := range useEverything(t, one, shard, rdb) {
			if !strings.HasPrefix(key, own) && !strings.HasPrefix(key, queues) && !strings.HasPrefix(key, polls) {
				others = append(others, key)
			}
		}
		require.Empty(t, others)
	})
}

// TestAShardKnowsItsWorkspaces: a workspace is always in the same one of sixteen, about as many in each, and the slots
// of a cluster of three are about equally used.
func TestAShardKnowsItsWorkspaces(t *testing.T) {
	in := make([]int, keyspace.Shards)
	for i := range 10_000 {
		id := fmt.Sprintf("T%08X", i*2654435761)
		in[keyspace.ShardOf(id)]++
		require.Equal(t, keyspace.Shard(keyspace.ShardOf(id)).In(id), keyspace.OfWorkspace(id))
	}
	require.Greater(t, slices.Min(in), 500)
	require.Less(t, slices.Max(in), 750)
	require.Equal(t, keyspace.Keyspace{}, keyspace.OfWorkspace(""))
	require.Equal(t, "{darkroom:597}:T1:order:1", keyspace.Shard(0).In("T1").Key("order", "1"))
}
