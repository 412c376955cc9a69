package queue

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/script"
)

// Slack sends a click again within a day: who clicked what waited for the service all night
// must not do it twice. So the 25 hours count from the job's end.
func TestAnIDIsKnownFor25HoursAfterItsJobEnded(t *testing.T) {
	for name, end := range map[string]error{"done": nil, "dead": Dead(errCut)} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
				t.Helper()
				q := newQueue(t, rdb, Options{})
				put(t, q, "a/1")
				wait(t.Context(), 20*time.Hour) // nobody works
				stop := running(t, q, func(context.Context, *Delivery) error { return end })
				settled(t, q)
				require.NoError(t, stop())
				if end != nil {
					require.NoError(t, q.DeadLetters().Drop(t.Context(), "a/1"))
				}
				wait(t.Context(), 24*time.Hour)
				again, err := q.Put(t.Context(), job("a/1"))
				require.NoError(t, err)
				require.False(t, again, "44 hours after it was put, 24 after it ended")
				wait(t.Context(), 2*time.Hour)
				again, err = q.Put(t.Context(), job("a/1"))
				require.NoError(t, err)
				require.True(t, again, "not for ever")
			})
		})
	}
}

// read takes the tokens that are there as a consumer of that name, and does nothing with them.
func read(t *testing.T, q *Queue, consumer string) (tokens []token) {
	t.Helper()
	r := newRunner(t.Context(), q, nil, newOutage(q.log, nil))
	r.consumer, r.taken = consumer, time.Now()
	tokens, err := r.tokens(t.Context(), 10)
	require.NoError(t, err)
	if len(tokens) == 0 { // the group was only just made
		tokens, err = r.tokens(t.Context(), 10)
		require.NoError(t, err)
	}
	return tokens
}

// A consumer that died with tokens in hand is kept until somebody has taken them over: with
// its name its tokens would be forgotten.
func TestTheNameOfADeadConsumerStaysWhileItHoldsTokens(t *testing.T) {
	rdb := realRedis(t) // the embedded one counts idleness otherwise
	q := newQueue(t, rdb, Options{Lease: time.Millisecond})
	put(t, q, "a/1", "b/1")
	tokens := read(t, q, "holds")
	require.Len(t, tokens, 2)
	names := func() (names []string) {
		for _, c := range rdb.XInfoConsumers(t.Context(), q.space.key("stream"), group).Val() {
			names = append(names, c.Name)
		}
		return names
	}
	reap := func() { // as if everybody had been silent for long
		require.NoError(t, q.space.script(t.Context(), "reap", script.Args{"consumer": "self", "idle": -1}).Err())
	}
	reap()
	require.Equal(t, []string{"holds"}, names())
	pending, err := rdb.XPending(t.Context(), q.space.key("stream"), group).Result()
	require.NoError(t, err)
	require.EqualValues(t, 2, pending.Count)
	for _, held := range tokens {
		require.NoError(t, rdb.XAck(t.Context(), q.space.key("stream"), group, held.entry).Err())
	}
	reap()
	require.Empty(t, names())
}

// Handing back the token of a lane that another worker has claimed changes nothing: a second
// token would admit a third worker.
func TestATokenOfAClaimedLaneIsNotHandedBack(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Lease: time.Hour, Logger: slog.New(slog.DiscardHandler)})
		put(t, q, "a/1", "a/2")
		tokens := read(t, q, "slow")
		require.Len(t, tokens, 1)
		d, err := q.claims().claimLane(t.Context(), "quick", tokens[0], "quick/1")
		require.NoError(t, err)
		require.NotNil(t, d)
		require.NoError(t, q.claims().release(t.Context(), tokens[0].entry))
		require.Equal(t, tokens[0].entry, rdb.HGet(t.Context(), q.space.key("tokens"), "a").Val(), "still the lane's token")
		require.Empty(t, read(t, q, "third"), "and the only one")
		ours, err := q.claims().settle(t.Context(), d.claim, outcome{verb: "done"})
		require.NoError(t, err)
		require.True(t, ours)
		require.Len(t, read(t, q, "third"), 1, "now it is the next one's turn")
	})
}

// Dead letters are not kept for ever.
func TestOldDeadLettersAreForgottenOnceTheyWereTold(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		die := func(ids ...string) { // and ten days go by
			stop := running(t, q, func(context.Context, *Delivery) error { return Dead(errCut) })
			put(t, q, ids...)
			settled(t, q)
			require.NoError(t, stop())
			wait(t.Context(), 10*24*time.Hour)
		}
		die("a/1")
		die("a/2", "untold/1")
		require.NoError(t, rdb.ZAdd(t.Context(), q.space.key("untold"), redis.Z{Score: 1, Member: "untold/1"}).Err())
		require.NoError(t, q.DeadLetters().Forget(t.Context(), 15*24*time.Hour, 10))
		letters, err := q.DeadLetters().List(t.Context(), 0)
		require.NoError(t, err)
		require.Len(t, letters, 2, "the one of twenty days ago is gone")
		require.NoError(t, q.DeadLetters().Forget(t.Context(), 5*24*time.Hour, 10))
		letters, err = q.DeadLetters().List(t.Context(), 0)
		require.NoError(t, err)
		require.Len(t, letters, 1)
		require.Equal(t, "untold/1", letters[0].ID, "somebody must hear of it first")
		require.Zero(t, rdb.Exists(t.Context(), q.space.key("job:a/1"), q.space.key("job:a/2")).Val())
	})
}
