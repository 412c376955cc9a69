package notifier_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier"
	"darkroom/store"
)

// Tend implements [PollStore].
func (n *notebook) Tend(context.Context, store.Keep) error { return nil }

// tended is a ledger that hears how long finished orders are to be kept.
type tended struct {
	*notebook
	keep []store.Keep
}

func (t *tended) Tend(_ context.Context, keep store.Keep) error {
	t.keep = append(t.keep, keep)
	return nil
}

func TestEachTickTendsWhatIsFinished(t *testing.T) {
	ledger := &tended{notebook: &notebook{}}
	keep := store.Keep{Full: time.Hour, For: 24 * time.Hour}
	for _, row := range []struct {
		keep store.Keep
		want []store.Keep
	}{{keep, []store.Keep{keep}}, {store.Keep{}, nil}} {
		ledger.keep = nil
		p, err := notifier.NewPoller(notifier.PollerConfig{Store: ledger, Schedule: "@every 1s", Keep: row.keep})
		require.NoError(t, err)
		require.NoError(t, p.Tick(t.Context()))
		require.Equal(t, row.want, ledger.keep)
	}
}
