package queue

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
)

func TestTheScriptsKeepWhatTheyPromise(t *testing.T) { storetest.Scripts(t) }

// What travels to a script and back is what was put, byte by byte: numbers that Lua cannot
// hold, what is empty, what is deep, and all that JSON must escape.
func TestAJobIsKeptAsItWasPut(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		deep := ""
		for range 1500 {
			deep = "[" + deep + "]"
		}
		was := Job{
			ID: "odd:\"1\"\\\u2028<&>\x00", Lane: "läne ☃", Kind: "odd",
			Body: []byte(`{"n":9007199254740993,"f":1e15,"no":null,"list":[],"object":{},"s":"\u0000\"\\ \ud83d\ude00 <&>","deep":` + deep + `}`),
		}
		_, err := q.Put(t.Context(), was)
		require.NoError(t, err)
		_, err = q.Put(t.Context(), Job{ID: "next", Lane: was.Lane, Kind: "odd"})
		require.NoError(t, err)
		require.NoError(t, rdb.XGroupCreateMkStream(t.Context(), q.space.key("stream"), group, "0").Err())
		entry := rdb.XRange(t.Context(), q.space.key("stream"), "-", "+").Val()[0].ID
		d, err := q.claims().claimLane(t.Context(), "me", token{entry: entry}, "me/1")
		require.NoError(t, err)
		require.Equal(t, was, d.Job)
	})
}
