package notifier_test

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier"
	"darkroom/order"
	"darkroom/store"
)

// frugal is a record of a workspace with some active orders, and a service that lists them: it keeps nothing
// itself, so that what is weighed is the poller's.
type frugal struct {
	*notebook
	name   string
	orders int
}

func (w frugal) id(i int) string { return fmt.Sprintf("%s-%020d", w.name, i) }

func (w frugal) EachActive(_ context.Context, f func(id string, a store.Active)) error {
	for i := range w.orders {
		f(w.id(i), store.Active{Status: order.Status([]byte("editing")), Version: 3, OrderedAt: placedAt})
	}
	return nil
}

func (w frugal) ApplyRetention(context.Context, store.Retention) (bool, error) { return false, nil }

func (w frugal) List(context.Context, order.Filter) (order.Page, error) {
	page := order.Page{PerPage: 20, Current: 1, Total: w.orders, TotalPages: 1}
	for i := range w.orders {
		revision := 0
		page.Orders = append(page.Orders, order.Order{ID: w.id(i), Status: "editing", Revision: &revision, OrderedAt: placedAt})
	}
	return page, nil
}

func (w frugal) Fetch(context.Context, string) (order.Order, error) {
	return order.Order{}, order.ErrInvalidOrder
}

// perWorkspace is how many bytes rounds take for each of n workspaces with so many active orders, between two polls.
func perWorkspace(t *testing.T, n, orders int) (bytes float64, kept int) {
	t.Helper()
	record := following(studioOf(0))
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("T%010d", i)
	}
	before := heap()
	r, err := notifier.NewRounds(notifier.RoundsConfig{
		Shards: 1, Lock: func(int) notifier.Lock { return key{&oneKeyLock{}, "a"} }, Schedule: "@every 10s", Log: slog.New(slog.DiscardHandler),
		Workspaces: func(context.Context, int) ([]string, error) { return names, nil },
		Busy: func(_ context.Context, names []string) ([]bool, error) {
			busy := make([]bool, len(names))
			for i := range busy {
				busy[i] = orders > 0
			}
			return busy, nil
		},
		Poller: func(_ context.Context, name string) (notifier.Ticker, error) {
			w := frugal{record, name, orders}
			return notifier.NewUnscheduled(notifier.PollerConfig{
				Service: w, Store: w, Ops: (&earshot{}).hear, Log: slog.New(slog.DiscardHandler), Retention: store.Retention{Full: time.Hour},
			}), nil
		},
	})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- r.Run(ctx) }()
	<-time.After(time.Minute)
	synctest.Wait()
	bytes, kept = (heap()-before)/float64(n), r.Where().Kept
	stop()
	require.NoError(t, <-done)
	return bytes, kept
}

// heap is how many bytes are in use.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// What a workspace takes between two polls: its place on the agenda, and its poller while it has orders. This test
// is alone while it runs.
func TestAWorkspaceTakesLittleMemory(t *testing.T) { //nolint:paralleltest // others would be weighed, too
	for name, test := range map[string]struct{ orders, kept, most int }{
		"none active": {0, 0, 600}, "ten active": {10, 2000, 6_000},
	} {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // as above
			synctest.Test(t, func(t *testing.T) {
				bytes, kept := perWorkspace(t, 2000, test.orders)
				t.Logf("%.0f bytes a workspace", bytes)
				require.Equal(t, test.kept, kept)
				require.Less(t, bytes, float64(test.most))
			})
		})
	}
}
