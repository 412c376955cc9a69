package poll_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
	"darkroom/store/retention"
)

// ApplyRetention implements [PollStore].
func (n *memoryStore) ApplyRetention(context.Context, retention.Policy) (time.Duration, error) {
	return 24 * time.Hour, nil
}

// tended is a store that records calls of ApplyRetention.
type tended struct {
	*memoryStore
	keep []retention.Policy
}

func (t *tended) parts() poll.Store { return poll.Store{t, t, t, t, t} }

func (t *tended) ApplyRetention(_ context.Context, keep retention.Policy) (time.Duration, error) {
	if t.keep = append(t.keep, keep); len(t.keep) < 3 {
		return 0, nil
	}
	return 24 * time.Hour, nil
}

// The first poll after a start is urgent; retention is not.
func TestFinishedOrdersAreLookedAfterNowAndThen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testTending)
}

func testTending(t *testing.T) {
	ledger := &tended{memoryStore: &memoryStore{}}
	keep := retention.Policy{Full: time.Hour, For: 24 * time.Hour}
	for _, row := range []struct {
		keep retention.Policy
		want []retention.Policy
	}{{keep, []retention.Policy{keep, keep, keep, keep}}, {retention.Policy{}, nil}} {
		ledger.keep = nil
		p, err := poll.New(poll.Config{Store: ledger.parts(), Schedule: "@every 1s", Retention: row.keep, RetireFirst: 10 * time.Second})
		require.NoError(t, err)
		require.NoError(t, p.Poll(t.Context()))
		require.Empty(t, ledger.keep)
		after(10 * time.Second)
		for range 9 { // as long as some are due, at each tick
			require.NoError(t, p.Poll(t.Context()))
			after(2 * time.Minute)
		}
		require.Equal(t, row.want, ledger.keep)
	}
}
