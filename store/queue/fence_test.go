package queue

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
)

var errCut = errors.New("cable cut")

// cable is a hook that cuts a client off from Redis while it is cut.
type cable struct {
	cut   atomic.Bool
	calls atomic.Int64
}

func (c *cable) DialHook(next redis.DialHook) redis.DialHook { return next }

func (c *cable) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		c.calls.Add(1)
		if c.cut.Load() {
			cmd.SetErr(errCut)
			return errCut
		}
		return next(ctx, cmd)
	}
}

func (c *cable) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// cuttable returns a second client of the Redis of rdb, and its cable.
func cuttable(t *testing.T, rdb redis.UniversalClient) (redis.UniversalClient, *cable) {
	t.Helper()
	other, c := storetest.Another(t, rdb), &cable{}
	other.AddHook(c)
	return other, c
}

func TestAWorkerFrozenPastItsLeaseChangesNothing(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		cutOff, cable := cuttable(t, rdb)
		frozen := newQueue(t, cutOff, Options{Lease: 200 * time.Millisecond})
		heir := newQueue(t, rdb, frozen.o)
		began, thaw := make(chan *Delivery, 1), make(chan struct{})
		result, cause := make(chan error, 2), make(chan error, 1)
		running(t, frozen, func(ctx context.Context, d *Delivery) error {
			if d.Deliveries > 1 {
				return nil
			}
			began <- d
			<-thaw // it looks at no context: it is frozen
			cause <- context.Cause(ctx)
			result <- d.SetState(context.WithoutCancel(ctx), "mine")
			return nil
		})
		put(t, frozen, "a/1")
		old := receive(t, began)
		cable.cut.Store(true)

		taken, finish := make(chan *Delivery, 1), make(chan struct{})
		running(t, heir, func(ctx context.Context, d *Delivery) error {
			if err := d.SetState(ctx, "theirs"); err != nil {
				return err
			}
			taken <- d
			<-finish
			return nil
		})
		d := receive(t, taken)
		require.Equal(t, 2, d.Deliveries)
		require.False(t, d.First)
		require.True(t, d.Interrupted)

		cable.cut.Store(false)
		close(thaw)
		require.ErrorIs(t, receive(t, cause), ErrLostClaim)
		require.ErrorIs(t, receive(t, result), ErrLostClaim)
		for _, verb := range []string{"done", "wait", "retry", "dead", "back"} {
			ours, err := frozen.claims().settle(t.Context(), old.claim, outcome{verb: verb})
			require.NoError(t, err)
			require.False(t, ours, verb)
		}
		ours, err := frozen.claims().renew(t.Context(), old.claim)
		require.NoError(t, err)
		require.False(t, ours)
		job := rdb.HGetAll(t.Context(), heir.space.key("job:a/1")).Val()
		require.Equal(t, `"theirs"`, job["state"])
		require.Equal(t, "0", job["failures"])
		close(finish)
		settled(t, heir)
	})
}

func TestALeaseThatRanOutIsLostEvenIfNobodyTookOver(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		put(t, q, "a/1")
		_, err := q.upkeep().promote(t.Context())
		require.NoError(t, err)
		entry := rdb.HGet(t.Context(), q.space.key("tokens"), "a").Val()
		d, err := q.claims().claimLane(t.Context(), "me", token{entry: entry}, "me/1")
		require.NoError(t, err)
		again, err := q.claims().claimLane(t.Context(), "me", token{entry: entry}, "me/1")
		require.NoError(t, err)
		require.Equal(t, 2, again.Deliveries, "a claim whose answer was lost is claimed again")
		require.False(t, again.First)
		other, err := q.claims().claimLane(t.Context(), "you", token{entry: entry}, "you/1")
		require.NoError(t, err)
		require.Nil(t, other, "one claim at a time")

		wait(t.Context(), 7*time.Second)
		require.ErrorIs(t, d.SetState(t.Context(), 1), ErrLostClaim)
		ours, err := q.claims().settle(t.Context(), d.claim, outcome{verb: "done"})
		require.NoError(t, err)
		require.False(t, ours)
	})
}

func TestTheHandlerHearsThatItsClaimIsLost(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		cause := make(chan error, 1)
		put(t, q, "a/1")
		running(t, q, func(ctx context.Context, d *Delivery) error {
			if d.Deliveries > 1 {
				return nil
			}
			if err := rdb.Set(ctx, q.space.key("claim:a"), "somebody", time.Second).Err(); err != nil {
				return err
			}
			<-ctx.Done()
			cause <- context.Cause(ctx)
			return nil
		})
		start := time.Now()
		require.ErrorIs(t, <-cause, ErrLostClaim)
		require.Less(t, time.Since(start), 3*time.Second)
		settled(t, q)
	})
}

func TestStateOfADeliveryMadeByHandStaysInMemory(t *testing.T) {
	d := &Delivery{Job: job("a/1")}
	require.NoError(t, d.SetState(t.Context(), map[string]int{"n": 1}))
	require.JSONEq(t, `{"n":1}`, string(d.State))
	require.Error(t, d.SetState(t.Context(), func() {}))
}
