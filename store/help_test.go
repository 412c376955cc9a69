package store_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/order/ordertest"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// each runs f over every kind of Redis.
func each(t *testing.T, f func(t *testing.T, s *store.Store, rdb redis.UniversalClient)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		f(t, newStore(rdb), rdb)
	})
}

func newStore(rdb redis.UniversalClient) *store.Store {
	return store.New(rdb, queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)}))
}

// Orders and their events.
var (
	noon      = ordertest.Noon
	anOrder   = ordertest.Order
	delivered = ordertest.Delivered
	talk      = ordertest.Talk
	entry     = ordertest.Entry
	ids       = ordertest.IDs
	kinds     = ordertest.Kinds
	print     = ordertest.Print
	said      = []order.Entry{{From: "service", Content: "Which sky?", CreatedAt: noon}}
)

var owner = store.Owner{Team: "T1", Channel: "C1", Requester: "UMARIA"}

func place(t *testing.T, s *store.Store, id string) store.Tracked {
	t.Helper()
	tracked, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
		ID: id, Owner: owner, Reference: "REF" + id, Images: 2,
		Order: order.Order{Status: order.StatusEditing, OrderedAt: time.Unix(1000, 0)},
	})
	require.NoError(t, err)
	return tracked
}

func record(t *testing.T, s *store.Store, id string, seen order.Order) (store.Tracked, []order.Event) {
	t.Helper()
	now, err := s.Orders.Order(t.Context(), id)
	require.NoError(t, err)
	tracked, events, err := s.Changes.Record(t.Context(), id, now.Version, seen)
	require.NoError(t, err)
	return tracked, events
}

// dump is all that Redis holds, to see that nothing was written.
func dump(t *testing.T, rdb redis.UniversalClient) map[string]string {
	t.Helper()
	ctx := context.Background()
	keys, err := storetest.Main(ctx, rdb).Keys(ctx, "*").Result()
	require.NoError(t, err)
	all := map[string]string{}
	for _, key := range keys {
		kind := rdb.Type(ctx, key).Val()
		switch kind {
		case "hash":
			all[key] = fmt.Sprint(rdb.HGetAll(ctx, key).Val())
		case "list":
			all[key] = fmt.Sprint(rdb.LRange(ctx, key, 0, -1).Val())
		case "set":
			all[key] = fmt.Sprint(rdb.SCard(ctx, key).Val())
		case "zset":
			all[key] = fmt.Sprint(rdb.ZRangeWithScores(ctx, key, 0, -1).Val())
		case "stream":
			all[key] = fmt.Sprint(rdb.XLen(ctx, key).Val())
		default:
			all[key] = rdb.Get(ctx, key).Val()
		}
	}
	return all
}
