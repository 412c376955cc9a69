package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

func TestARunOfRedisHasANameOfItsOwn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		first, err := s.Server.Run(t.Context())
		require.NoError(t, err)
		again, err := s.Server.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, first.ID, again.ID)
		assert.WithinDuration(t, first.Since, again.Since, 30*time.Second)
		assert.WithinDuration(t, time.Now(), first.Since, time.Minute)

		require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:run", "replid", "another server").Err())
		back, err := s.Server.Run(t.Context())
		require.NoError(t, err)
		assert.NotEqual(t, first.ID, back.ID, "the same server after another is another run")
	})
}

func TestARedisThatWasStartedAgainIsAnotherRun(t *testing.T) {
	t.Parallel()
	server := storetest.Start(t)
	rdb := server.Client()
	s := store.New(rdb, queue.New(rdb, queue.Options{}))
	before, err := s.Server.Run(t.Context())
	require.NoError(t, err)
	server.Restart()
	after, err := s.Server.Run(t.Context())
	require.NoError(t, err)
	assert.NotEqual(t, before.ID, after.ID)
	assert.True(t, after.Since.After(before.Since))
}
