package store_test

import (
	"encoding/json"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

func TestAMarkIsPutOnceForEachMessageAndEmoji(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		for _, m := range []store.Mark{
			{Team: "T1", Channel: "C1", TS: "1.1", Emoji: "hourglass"},
			{Team: "T1", Channel: "C1", TS: "1.1", Emoji: "white_check_mark"},
			{Team: "T1", Channel: "C1", TS: "1.1", Emoji: "hourglass"},
		} {
			require.NoError(t, s.Announcements.Mark(t.Context(), m))
		}
		lane := rdb.LRange(t.Context(), "{darkroom}:q:lane:channel:T1:C1", 0, -1).Val()
		assert.Equal(t, []string{"mark:C1:1.1:hourglass", "mark:C1:1.1:white_check_mark"}, lane)
		job := rdb.HGetAll(t.Context(), "{darkroom}:q:job:"+lane[0]).Val()
		assert.Equal(t, store.MarkKind, job["kind"])
		var m store.Mark
		require.NoError(t, json.Unmarshal([]byte(job["body"]), &m))
		assert.Equal(t, store.Mark{Team: "T1", Channel: "C1", TS: "1.1", Emoji: "hourglass"}, m)
	})
}
