package announce_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
)

// backup copies Redis except for the queue. The returned function restores it in another run of Redis.
func (r *rig) backup(t *testing.T) (restore func()) {
	t.Helper()
	ctx := t.Context()
	var puts []func(context.Context) error
	for _, key := range r.kept(t) {
		switch kind := r.rdb.Type(ctx, key).Val(); kind {
		case "hash":
			was := r.rdb.HGetAll(ctx, key).Val()
			puts = append(puts, func(ctx context.Context) error { return r.rdb.HSet(ctx, key, was).Err() })
		case "list":
			was := r.rdb.LRange(ctx, key, 0, -1).Val()
			puts = append(puts, func(ctx context.Context) error { return r.rdb.RPush(ctx, key, was).Err() })
		case "set":
			was := r.rdb.SMembers(ctx, key).Val()
			puts = append(puts, func(ctx context.Context) error { return r.rdb.SAdd(ctx, key, was).Err() })
		case "zset":
			was := r.rdb.ZRangeWithScores(ctx, key, 0, -1).Val()
			puts = append(puts, func(ctx context.Context) error { return r.rdb.ZAdd(ctx, key, was...).Err() })
		default:
			was := r.rdb.Get(ctx, key).Val()
			puts = append(puts, func(ctx context.Context) error { return r.rdb.Set(ctx, key, was, 0).Err() })
		}
	}
	return func() {
		t.Helper()
		require.NoError(t, r.rdb.Del(t.Context(), r.kept(t)...).Err())
		for _, put := range puts {
			require.NoError(t, put(t.Context()))
		}
		r.beginsAnew(t)
	}
}

// kept returns all keys but the queue's.
func (r *rig) kept(t *testing.T) (keys []string) {
	t.Helper()
	for _, key := range r.rdb.Keys(t.Context(), "{darkroom}:*").Val() {
		if !strings.HasPrefix(key, "{darkroom}:q:") {
			keys = append(keys, key)
		}
	}
	return keys
}

// beginsAnew starts another run of Redis.
func (r *rig) beginsAnew(t *testing.T) {
	t.Helper()
	require.NoError(t, r.rdb.HSet(t.Context(), "{darkroom}:run", "replid", "another", "replid_since", time.Now().UnixMilli()).Err())
}

// read counts how often a thread is read.
func (r *rig) reads() (n int) {
	for _, request := range r.w.Requests() {
		if request.Method == "conversations.replies" || request.Method == "conversations.history" {
			n++
		}
	}
	return n
}

func TestWhatTheThreadSaysAlreadyIsNotSaidAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	restore := r.backup(t)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	r.happens(t, order.StatusRevising, 1)
	r.announce(t)
	told := []string{"card", "placed", "ready:r0", "changes:r1"}
	require.Equal(t, told, r.thread(t, shoots))
	require.Zero(t, r.reads(), "nobody forgot anything")

	restore()
	require.Equal(t, told, r.thread(t, shoots))
	r.happens(t, order.StatusRevising, 1) // the review is not seen any more
	r.announce(t)
	require.Equal(t, told, r.thread(t, shoots))
	r.happens(t, order.StatusReviewing, 1)
	r.announce(t)
	require.Equal(t, append(told, "ready:r1"), r.thread(t, shoots), "what is new is told")
	require.Equal(t, 1, r.reads(), "once in each run")
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	require.Equal(t, "changes:r1", tracked.Thread[1].ID)
	require.Equal(t, r.reply(t, shoots, "changes:r1").TS, tracked.Thread[1].TS)
}

func TestTheReviewThatStandsThereIsTheOneThatIsSettled(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	restore := r.backup(t)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	require.NotZero(t, buttons(r.reply(t, shoots, "ready:r0")))
	restore()
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	require.NotZero(t, buttons(r.reply(t, shoots, "ready:r0")))
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0", "approved"}, r.thread(t, shoots))
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")))
}

func TestTheCardOfAnOrderThatIsPlacedAnewIsTakenOver(t *testing.T) {
	t.Parallel()
	for name, shown := range map[string]bool{"found": true, "sent a moment ago": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, workspace.Options{})
			r.ordered = time.Now()
			r.place(t, shoots)
			r.announce(t)
			require.NoError(t, r.rdb.Del(t.Context(), r.kept(t)...).Err())
			tracked := store.NewOrder{
				ID: orderID, Reference: "K7Q2XM", Images: 1, Shown: shown,
				Owner: store.Owner{Team: "T0SANDBOX", Channel: shoots, Requester: "U0MARIA"},
				Order: order.Order{ID: orderID, ProjectName: "Smith wedding [K7Q2XM]", Status: order.StatusEditing, OrderedAt: r.ordered},
			}
			_, err := r.Changes.AddOrder(t.Context(), tracked)
			require.NoError(t, err)
			r.announce(t)
			if !shown {
				require.Len(t, r.w.Messages(shoots), 2, "nobody looks for the card of what cannot have one")
				return
			}
			require.Len(t, r.w.Messages(shoots), 1)
			require.Equal(t, []string{"card", "placed"}, r.thread(t, shoots))
		})
	}
}

// Redis restarts again before the store has caught up with the thread: only then does the service return
// the editor's text.
func TestWhatTheThreadSaysIsKnownUntilItIsOnRecord(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64 // of Slack's clock, so that each reply has a second of its own
	r := newRig(t, workspace.Options{Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
	r.place(t, shoots)
	r.announce(t)
	restore := r.backup(t)
	asked := time.Now()
	asks := func() {
		t.Helper()
		tracked, err := r.Orders.Order(t.Context(), orderID)
		require.NoError(t, err)
		_, _, err = r.Changes.Record(t.Context(), orderID, tracked.Version, order.Order{
			ID: orderID, Conversation: []order.Entry{{From: "editor", Content: "Which beach?", CreatedAt: asked}},
		})
		require.NoError(t, err)
		r.announce(t)
	}
	asks()
	ahead.Add(int64(5 * time.Second))
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	told := r.thread(t, shoots)
	require.Len(t, told, 4)

	restore()
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	require.Equal(t, told, r.thread(t, shoots))
	r.beginsAnew(t)
	r.happens(t, order.StatusRevising, 1)
	r.announce(t)
	require.Equal(t, 2, r.reads(), "once in each run")
	asks()
	require.Equal(t, append(told, "changes:r1"), r.thread(t, shoots))
}

// Messages by others with our metadata do not count as posted.
func TestAStrangersCopyOfAnEventIsNothingThatWasTold(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	restore := r.backup(t)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	restore()
	r.config.Slack = stranger{r.slack}
	r.happens(t, order.StatusReviewing, 0)
	require.NoError(t, r.try(t))
	require.Equal(t, []string{"card", "placed", "ready:r0", "ready:r0"}, r.thread(t, shoots))
}
