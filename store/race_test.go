package store_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/storetest"
)

// overtaken is a store whose first script runs only after somebody else, with
// a connection of their own, did something: between its reading and writing.
func overtaken(t *testing.T, rdb redis.UniversalClient, by func(other *store.Store)) *store.Store {
	t.Helper()
	mine := storetest.Another(t, rdb)
	var once sync.Once
	mine.AddHook(before(func(cmd redis.Cmder) {
		if strings.HasPrefix(cmd.Name(), "eval") {
			once.Do(func() { by(newStore(rdb)) })
		}
	}))
	return newStore(mine)
}

// before is a hook that acts before each command.
type before func(redis.Cmder)

func (before) DialHook(next redis.DialHook) redis.DialHook { return next }

func (before) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (b before) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		b(cmd)
		return next(ctx, cmd)
	}
}

func TestAChangeBetweenReadingAndWritingMakesTheRecordStale(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		known := place(t, s, "1")
		late := overtaken(t, rdb, func(other *store.Store) { record(t, other, "1", anOrder(order.StatusClosed, 0)) })
		_, _, err := late.Changes.Record(t.Context(), "1", known.Version, delivered(0, "a"))
		require.ErrorIs(t, err, store.ErrStale)
		all, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, []string{"placed", "approved"}, ids(all))
	})
}

func TestAnIntentLeftBetweenReadingAndWritingGetsItsChange(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		known := place(t, s, "1")
		poller := overtaken(t, rdb, func(other *store.Store) {
			intent := order.Intent{Verb: order.VerbCancel, Actor: "UMARIA", Job: "j"}
			assert.NoError(t, other.Changes.Intend(t.Context(), "1", intent))
		})
		now, events, err := poller.Changes.Record(t.Context(), "1", known.Version, anOrder(order.StatusCanceled, 0))
		require.NoError(t, err)
		require.Equal(t, []string{"canceled"}, ids(events))
		assert.Equal(t, "UMARIA", events[0].Actor)
		assert.Nil(t, now.Intent)
	})
}

func TestANewerIntentIsNotTakenBackWithTheOld(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, s.Changes.Intend(t.Context(), "1", order.Intent{Verb: order.VerbCancel, Job: "old"}))
		slow := overtaken(t, rdb, func(other *store.Store) {
			assert.NoError(t, other.Changes.Intend(t.Context(), "1", order.Intent{Verb: order.VerbCancel, Job: "new"}))
		})
		require.NoError(t, slow.Changes.ClearIntent(t.Context(), "1", "old"))
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		require.NotNil(t, now.Intent)
		assert.Equal(t, "new", now.Intent.Job)
	})
}
