package script_test

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/script"
	"darkroom/store/storetest"
)

func TestAScriptGetsItsKeysAndArgumentsByName(t *testing.T) {
	room := fstest.MapFS{
		"lua/keep.lua": {Data: []byte("-- KEYS: second,\n--   first\n-- USES: twice, once\n-- CHECKS: given\n" +
			"redis.call('SET', first, twice(a.n)) redis.call('SET', second, a.life .. a.list[1].n)\nreturn now_ms() > 0 and 1 or 0")},
		"lua/shared/given.lua": {Data: []byte("if not a.n then return redis.call('EXISTS', first) + 5 end\n")},
		"lua/shared/once.lua":  {Data: []byte("-- USES: time\nlocal function once(text) return text end\n")},
		"lua/shared/twice.lua": {Data: []byte("-- USES: once\nlocal function twice(text) return once(text) .. text end\n")},
	}
	set := script.Load(room)
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		keys := script.Keys{"first": "a", "second": "b", "third": "c"}
		args := script.Args{"n": int64(9007199254740993), "life": 2 * time.Second, "list": []script.Args{{"n": 7}}}
		n, err := set.Run(t.Context(), rdb, "keep", keys, args).Int()
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, "90071992547409939007199254740993", rdb.Get(t.Context(), "a").Val())
		require.Equal(t, "20007", rdb.Get(t.Context(), "b").Val())
		n, err = set.Run(t.Context(), rdb, "keep", keys, script.Args{}).Int()
		require.NoError(t, err)
		require.Equal(t, 6, n, "the check ends it")
		require.Panics(t, func() { set.Run(t.Context(), rdb, "lose", keys, args) }, "no such script")
		require.Panics(t, func() { set.Run(t.Context(), rdb, "keep", script.Keys{"first": "a"}, args) }, "a key is missing")
	})
	require.Panics(t, func() { script.Load(fstest.MapFS{}) })
	require.Panics(t, func() { script.Load(fstest.MapFS{"lua/a.lua": {Data: []byte("-- USES: none\n")}}) })
}

// A script with ARGS gets each argument unchanged. A missing argument, or one that
// needs a document, is a bug.
func TestNamedArgumentsTravelOneByOne(t *testing.T) {
	set := script.Load(fstest.MapFS{"lua/keep.lua": {Data: []byte("-- KEYS: first\n-- ARGS: n, doc, job.body,\n--   job.life, yes, no\n" +
		"return {a.n .. type(a.n), a.doc, a.job.body, a.job.life, a.yes .. a.no}")}})
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		odd := "\x00\xff\u2028\"\\ \r\n[1]"
		args := script.Args{
			"n": int64(9007199254740993), "doc": odd, "job": script.Args{"body": []byte(odd), "life": 2 * time.Second}, "yes": true, "no": false,
		}
		got, err := set.Run(t.Context(), rdb, "keep", script.Keys{"first": "a"}, args).StringSlice()
		require.NoError(t, err)
		require.Equal(t, []string{"9007199254740993string", odd, odd, "2000", "1"}, got)
		args["doc"] = []int{1}
		require.Panics(t, func() { set.Run(t.Context(), rdb, "keep", script.Keys{"first": "a"}, args) }, "it does not travel alone")
		delete(args, "doc")
		require.Panics(t, func() { set.Run(t.Context(), rdb, "keep", script.Keys{"first": "a"}, args) }, "it is missing")
	})
}
