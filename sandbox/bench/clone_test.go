package main

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

func TestCopiedOrdersAreActiveAndQuiet(t *testing.T) {
	rdb := storetest.Start(t).Client()
	q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
	r := &redisServer{rdb: rdb, queue: q, store: store.New(rdb, q)}
	b := &bench{ctx: t.Context()}
	orders := activeOrders(1203)
	require.NoError(t, b.trackLike(r))
	require.NoError(t, b.track(r, orders))

	active := map[string]store.Active{}
	require.NoError(t, r.store.EachActive(t.Context(), func(id string, a store.Active) { active[id] = a }))
	assert.Len(t, active, len(orders))
	for _, o := range []*pretendOrder{orders[0], orders[600], orders[1202]} {
		assert.True(t, o.orderedAt.Equal(active[o.id].OrderedAt), "it has its own time")
		kept, err := r.store.Order(t.Context(), o.id)
		require.NoError(t, err)
		assert.Equal(t, o.id, kept.Order.ID)
		assert.True(t, o.orderedAt.Equal(kept.Order.OrderedAt))
		assert.NotEmpty(t, kept.CardTS)
		assert.Equal(t, kept.LastEvent, kept.Announced, "nothing is left to be said")
	}
	behind, err := r.store.Unannounced(t.Context())
	require.NoError(t, err)
	assert.Empty(t, behind)
	stats, err := q.Stats(t.Context())
	require.NoError(t, err)
	assert.Zero(t, stats.Jobs)
}
