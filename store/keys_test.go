package store_test

import (
	"context"
	"log/slog"
	"maps"
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
	"darkroom/store/retention"
	"darkroom/store/settingstest"
	"darkroom/store/tenants"
)

// storeIn is a store in a keyspace of its own, and its queue.
func storeIn(rdb redis.UniversalClient, tag string) (*store.Store, *queue.Queue) {
	q := queue.New(rdb, queue.Options{Keyspace: keyspace.New(tag), Logger: slog.New(slog.DiscardHandler)})
	return store.New(rdb, q), q
}

// useEverything does one of each kind of thing that a store keeps, and returns every key that
// there was meanwhile.
func useEverything(t *testing.T, s *store.Store, q *queue.Queue, rdb redis.UniversalClient) []string {
	t.Helper()
	ctx, seen := t.Context(), map[string]bool{}
	look := func() {
		for key := range dump(t, rdb) {
			seen[key] = true
		}
	}
	ok := func(_ any, err error) {
		t.Helper()
		require.NoError(t, err)
		look()
	}
	no := func(err error) { t.Helper(); ok(nil, err) }

	draft := store.Draft{ID: "d1", Team: "T1", User: "UMARIA", State: store.DraftOpen, ProjectName: "Smith wedding"}
	no(s.Drafts.SaveDraft(ctx, draft))
	_, _, err := s.Drafts.Submit(ctx, draft)
	no(err)
	ok(s.Drafts.ReserveReference(ctx, "ref1", "d1"))
	place(t, s, "1")
	no(s.Changes.Intend(ctx, "1", order.Intent{Verb: order.VerbApprove, Job: "j"}))
	no(s.Changes.ClearIntent(ctx, "1", "j"))
	no(s.Announcements.BeginPost(ctx, "1", 1, 0))
	no(s.Announcements.CardPosted(ctx, "1", 1, "1.1", 1))
	no(s.Announcements.EventPosted(ctx, "1", 1, store.Posted{Event: 1, ID: "placed", TS: "1.2"}))
	ok(s.Changes.Move(ctx, "1", "C2", "UMARIA"))
	ok(s.Changes.Untrack(ctx, "1", "UMARIA"))
	no(s.Announcements.FoundThread(ctx, store.Tracked{ID: "1", Owner: owner}, "1.3"))
	no(s.Ledgers.Reserve(ctx, store.Draft{ID: "d1", Team: "T1", Reference: "REF1"}, time.Unix(2000, 0), func(order.Ledger) bool { return true }))
	settingstest.Save(t, s, "T1", "C1", store.Settings{Relay: store.RelayReplies})
	settingstest.SaveAccount(t, s, "T1", store.Account{Credits: store.CreditsOperators})
	no(s.Connection.NoteConnected(ctx, tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "k"}, tenants.Connection{}))
	no(s.Documents.PutTTL(ctx, "a", 1, time.Hour))
	ok(s.Documents.PutIfAbsent(ctx, "b", 1, time.Hour))
	ok(kv.DB{Redis: rdb, Space: s.Keyspace()}.Lock("poller", time.Hour).Hold(ctx))
	ok(ratelimit.NewChannels(rdb, s.Keyspace()).Reserve(ctx, "C1", time.Hour))
	no(ratelimit.NewRate(rdb, s.Keyspace(), 1).People().Wait(ctx))
	ok(ratelimit.NewReads(rdb, s.Keyspace(), s.Documents).Limit(ctx, "conversations.history", time.Hour))
	no(s.OwnPosts.NoteOwnPost(ctx, "C1", store.OwnPost{TS: "1.2", Metadata: []byte("{}")}))
	ok(s.Server.Run(ctx))
	place(t, s, "2")
	record(t, s, "2", order.Order{Status: order.StatusCanceled, CanceledAt: time.Unix(2000, 0)})
	no(s.Announcements.SkipPending(ctx, "2", 1))
	finish(t, q)
	ok(retention.NewRetirement(s).ApplyRetention(ctx, retention.Policy{}))
	return slices.Sorted(maps.Keys(seen))
}

// finish works on all jobs that are due.
func finish(t *testing.T, q *queue.Queue) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() {
		ended <- q.Run(ctx, func(context.Context, *queue.Delivery) error { return nil })
	}()
	require.Eventually(t, func() bool {
		stats, err := q.Inspector().Stats(ctx)
		return err == nil && stats.Jobs == 0
	}, 30*time.Second, time.Millisecond)
	stop()
	require.NoError(t, <-ended)
}

// TestEveryKeyKeepsItsName: a key of another name is data that nobody finds any more.
func TestEveryKeyKeepsItsName(t *testing.T) {
	each(t, func(t *testing.T, _ *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		s, q := storeIn(rdb, "")
		var ours []string
		for _, key := range useEverything(t, s, q, rdb) {
			if !strings.HasPrefix(key, "{darkroom}:q:") && !strings.HasPrefix(key, "{darkroom}:poll:") { // they have a test of their own
				ours = append(ours, key)
			}
		}
		require.Equal(t, []string{
			"{darkroom}:active",
			"{darkroom}:channel:T1:C1",
			"{darkroom}:channel:T1:C2",
			"{darkroom}:channels:T1",
			"{darkroom}:connection",
			"{darkroom}:draft:d1",
			"{darkroom}:event-ids:1",
			"{darkroom}:event-ids:2",
			"{darkroom}:events:1",
			"{darkroom}:events:2",
			"{darkroom}:finished",
			"{darkroom}:lagging",
			"{darkroom}:lock:poller",
			"{darkroom}:note:a",
			"{darkroom}:note:b",
			"{darkroom}:order:1",
			"{darkroom}:order:2",
			"{darkroom}:outstanding",
			"{darkroom}:own-posts:C1",
			"{darkroom}:pace:C1",
			"{darkroom}:reads:conversations.history",
			"{darkroom}:reference:REF1",
			"{darkroom}:reference:REF2",
			"{darkroom}:requester:T1:UMARIA",
			"{darkroom}:run",
			"{darkroom}:settings:T1:",
			"{darkroom}:settings:T1:C1",
			"{darkroom}:shrunk",
			"{darkroom}:snapshot:2",
			"{darkroom}:spending:T1:1970-01",
			"{darkroom}:thread:T1:C1:1.1",
			"{darkroom}:thread:T1:C1:1.3",
			"{darkroom}:turns",
			"{darkroom}:unfinished:T1:UMARIA",
		}, ours)
	})
}

// TestStoresOfTwoKeyspacesShareNothing: they see nothing of each other, and write nothing there.
func TestStoresOfTwoKeyspacesShareNothing(t *testing.T) {
	each(t, func(t *testing.T, _ *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		one, oneQueue := storeIn(rdb, "")
		useEverything(t, one, oneQueue, rdb)
		place(t, one, "3")
		before := dump(t, rdb)

		two, twoQueue := storeIn(rdb, "T2")
		_, err := two.Orders.Find(ctx, "3")
		require.ErrorIs(t, err, store.ErrNotTracked)
		_, err = two.Orders.Find(ctx, "REF3")
		require.ErrorIs(t, err, store.ErrNotTracked)
		_, err = two.Orders.ByThread(ctx, "T1", "C1", "1.3")
		require.ErrorIs(t, err, store.ErrNotTracked)
		orders, _, err := two.Orders.Requested(ctx, "T1", "UMARIA", nil, 0, 0)
		require.NoError(t, err)
		require.Empty(t, orders)
		active, err := two.Active(ctx)
		require.NoError(t, err)
		require.Empty(t, active)
		lagging, err := two.Announcements.Unannounced(ctx)
		require.NoError(t, err)
		require.Empty(t, lagging)
		_, err = two.Drafts.Draft(ctx, "d1")
		require.ErrorIs(t, err, store.ErrNoDraft)
		var n int
		require.ErrorIs(t, two.Documents.Get(ctx, "a", &n), store.ErrAbsent)
		settings, err := two.Settings.Of(ctx, "T1", "C1")
		require.NoError(t, err)
		require.Zero(t, settings)
		wait, err := ratelimit.NewChannels(rdb, two.Keyspace()).Delay(ctx, "C1")
		require.NoError(t, err)
		require.Zero(t, wait)
		held, err := kv.DB{Redis: rdb, Space: two.Keyspace()}.Lock("poller", time.Hour).Hold(ctx)
		require.NoError(t, err)
		require.True(t, held)
		stats, err := twoQueue.Inspector().Stats(ctx)
		require.NoError(t, err)
		require.Zero(t, stats)

		useEverything(t, two, twoQueue, rdb)
		after := dump(t, rdb)
		maps.DeleteFunc(after, func(key, _ string) bool { return strings.HasPrefix(key, "{T2}:") })
		for _, soonGone := range []string{"{darkroom}:turns", "{darkroom}:q:sweep"} {
			delete(before, soonGone)
			delete(after, soonGone)
		}
		require.Equal(t, before, after)
	})
}
