package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/kv"
	"darkroom/store/storetest"
)

func TestOneHoldsALock(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		a, b := kv.DB{Redis: rdb, Space: s.Keyspace()}.Lock("poller", time.Minute), kv.DB{Redis: rdb, Space: s.Keyspace()}.Lock("poller", time.Minute)
		hold := func(l *kv.Lock) bool {
			t.Helper()
			held, err := l.Hold(t.Context())
			require.NoError(t, err)
			return held
		}
		assert.True(t, hold(a))
		assert.False(t, hold(b))
		require.NoError(t, rdb.PExpire(t.Context(), "{darkroom}:lock:poller", time.Second).Err())
		assert.True(t, hold(a))
		assert.Greater(t, rdb.PTTL(t.Context(), "{darkroom}:lock:poller").Val(), 30*time.Second, "renewed")
		require.NoError(t, b.Release(t.Context()))
		assert.False(t, hold(b), "only the holder releases")
		require.NoError(t, a.Release(t.Context()))
		assert.True(t, hold(b))
		assert.False(t, hold(a))
	})
}

func TestConnectReadsEveryForm(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"redis://:pw@127.0.0.1:6379/2", "rediss://127.0.0.1", "unix:///run/redis.sock?db=1",
		"redis://127.0.0.1:26379?master_name=main&addr=127.0.0.2:26379", "redis+sentinel://127.0.0.1:26379?master_name=main",
		"redis://127.0.0.1:6379?addr=127.0.0.2:6379", "rediss+cluster://127.0.0.1:6379",
	} {
		rdb, err := conn.Connect(url)
		require.NoError(t, err, url)
		switch c := rdb.(type) {
		case *redis.Client:
			assert.True(t, c.Options().ContextTimeoutEnabled, url)
		case *redis.ClusterClient:
			assert.True(t, c.Options().ContextTimeoutEnabled, url)
		}
		require.NoError(t, rdb.Close())
	}
}

func TestConnectQuotesNoPassword(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"", "127.0.0.1:6379", "http://u:s3cret@host", "redis+odd://u:s3cret@host", "redis://u:s3cret@host:port",
		"redis://u:s3cret@host/x", "redis+sentinel://u:s3cret@host", "redis://u:s3cret@host?addr=b&dial_timeout=x", "redis://u:s3cret@host?master_name=m&db=x",
	} {
		_, err := conn.Connect(url)
		require.Error(t, err, url)
		assert.NotContains(t, err.Error(), "s3cret")
	}
}

func TestDurabilitySaysWhatCouldBeLost(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		if strings.Contains(t.Name(), storetest.Embedded) {
			assert.NotEmpty(t, s.Server.Durability(t.Context()))
			return
		}
		own := storetest.Start(t).Client() // its settings change
		s = newStore(own)
		says := func(setting, value string) string {
			t.Helper()
			require.NoError(t, own.ConfigSet(t.Context(), setting, value).Err())
			return strings.Join(s.Server.Durability(t.Context()), "\n")
		}
		assert.Contains(t, says("appendfsync", "everysec"), "everysec")
		assert.Contains(t, says("appendfsync", "no"), "half a minute")
		assert.Empty(t, says("appendfsync", "always"))
		assert.Contains(t, says("maxmemory-policy", "allkeys-lru"), "noeviction")
		assert.Contains(t, says("appendonly", "no"), "append-only")
	})
}

func TestWithoutRedisNothingPretends(t *testing.T) {
	t.Parallel()
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	defer func() { _ = rdb.Close() }()
	s, ctx := newStore(rdb), t.Context()
	_, placing := s.Changes.AddOrder(ctx, store.NewOrder{ID: "1"})
	_, _, recording := s.Changes.Record(ctx, "1", 1, delivered(0, "a"))
	_, _, unannounced := s.Announcements.Pending(ctx, "1")
	_, finding := s.Orders.Find(ctx, "1")
	_, threading := s.Orders.ByThread(ctx, "T1", "C1", "1.1")
	_, _, listing := s.Orders.InChannels(ctx, "T1", []string{"C1"}, nil, 0, 10)
	_, active := s.Active(ctx)
	_, missed := s.Changes.Missed(ctx, "1", time.Now())
	_, events := s.Orders.Events(ctx, "1")
	_, laggards := s.Announcements.Unannounced(ctx)
	_, drafting := s.Drafts.Draft(ctx, "d")
	_, _, submitting := s.Drafts.Submit(ctx, store.Draft{ID: "d"})
	_, reserving := s.Drafts.ReserveReference(ctx, "R", "d")
	_, holding := kv.DB{Redis: rdb, Space: s.Keyspace()}.Lock("l", time.Second).Hold(ctx)
	for _, err := range []error{
		placing, recording, unannounced, finding, threading, listing, active, events, laggards, drafting, submitting, reserving, holding,
		s.Changes.Intend(ctx, "1", order.Intent{}), s.Changes.ClearIntent(ctx, "1", "j"), s.Changes.MarkGone(ctx, "1", time.Now()), missed, s.Announcements.Announce(ctx, "1"),
		s.Announcements.BeginPost(ctx, "1", 1, 0), s.Announcements.CardPosted(ctx, "1", 1, "1.1", 1), s.Announcements.ReviewSettled(ctx, "1", 1, store.Posted{TS: "1.1", Ended: "approved"}),
		s.Drafts.SaveDraft(ctx, store.Draft{ID: "d"}), kv.DB{Redis: rdb, Space: s.Keyspace()}.Lock("l", time.Second).Release(ctx),
	} {
		require.Error(t, err)
		require.NotErrorIs(t, err, store.ErrNotTracked)
		require.NotErrorIs(t, err, store.ErrNoDraft)
	}
	assert.Len(t, s.Server.Durability(ctx), 1)
}
