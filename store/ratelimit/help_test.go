package ratelimit_test

import (
	"log/slog"
	"testing"

	"github.com/redis/go-redis/v9"

	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/ratelimit"
	"darkroom/store/storetest"
)

func each(t *testing.T, f func(t *testing.T, rdb redis.UniversalClient)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, f)
}

func rate(rdb redis.UniversalClient, perSecond int) *ratelimit.Rate {
	return ratelimit.NewRate(rdb, keyspace.Keyspace{}, perSecond)
}

func channels(rdb redis.UniversalClient) *ratelimit.Channels {
	return ratelimit.NewChannels(rdb, keyspace.Keyspace{})
}

func readTurns(rdb redis.UniversalClient) *ratelimit.Reads {
	return ratelimit.NewReads(rdb, keyspace.Keyspace{}, store.New(rdb, queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})).Documents)
}
