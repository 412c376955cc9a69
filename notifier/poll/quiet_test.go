package poll_test

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/ratelimit"
	"darkroom/store/retention"
	"darkroom/store/storetest"
)

// slowService is a service with n of our orders, no others, and slow pages.
type slowService struct {
	n     int
	takes time.Duration
	turns *ratelimit.Background
}

func (a slowService) id(i int) string { return fmt.Sprintf("ord-%07d", i) }

func (a slowService) placed(i int) time.Time { return placedAt.Add(-time.Duration(i) * time.Minute) }

func (a slowService) List(ctx context.Context, f order.Filter) (order.Page, error) {
	if err := a.turns.Wait(ctx); err != nil {
		return order.Page{}, err
	}
	<-time.After(a.takes)
	page := order.Page{PerPage: 20, Current: f.Page, Total: a.n, TotalPages: (a.n + 19) / 20}
	zero := 0
	for i := min((f.Page-1)*20, a.n); i < min(f.Page*20, a.n); i++ {
		page.Orders = append(page.Orders, order.Order{ID: a.id(i), Status: order.StatusEditing, Revision: &zero, OrderedAt: a.placed(i)})
	}
	return page, nil
}

func (a slowService) Fetch(context.Context, string) (order.Order, error) {
	return order.Order{}, order.ErrInvalidOrder
}

// fill tracks the service's orders.
func (a slowService) fill(tb testing.TB, rdb redis.UniversalClient) {
	tb.Helper()
	const step = 5000
	for from := 0; from < a.n; from += step {
		entries := map[string]any{}
		for i := from; i < min(from+step, a.n); i++ {
			entries[a.id(i)] = fmt.Sprintf(`{"status":"editing","revision":0,"version":2,"ordered_at":%q}`, a.placed(i).Format(time.RFC3339))
		}
		require.NoError(tb, rdb.HSet(tb.Context(), "{darkroom}:active", entries).Err())
	}
}

// slowServiceOf returns n tracked orders in their own Redis, with a poller.
func slowServiceOf(tb testing.TB, n, perSecond int, takes time.Duration) (*poll.Poller, *redis.Client) {
	tb.Helper()
	rdb := storetest.Start(tb).Client()
	s := store.New(rdb, queue.New(rdb, queue.Options{}))
	a := slowService{n: n, takes: takes, turns: ratelimit.NewRate(rdb, keyspace.Keyspace{}, perSecond).Background()}
	a.fill(tb, rdb)
	p, err := poll.New(poll.Config{
		Service: a, Store: poll.StoreOf(s), Schedule: "@every 30s", Slots: a.turns, Ops: (&opsChannel{}).hear, Log: slog.New(slog.DiscardHandler),
		Retention: retention.Policy{Full: retention.FullFor},
	})
	require.NoError(tb, err)
	return p, rdb
}

// A quiet poll uses at most ten commands, and one more for every two hundred orders, including those in
// scripts. Retention, once in ten minutes, is not counted.
func TestAQuietTickCostsRedisLittle(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 10, 200, 1000, 10_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p, rdb := slowServiceOf(t, n, 20_000, 0)
			for range 2 { // scripts are loaded
				require.NoError(t, p.Poll(t.Context()))
			}
			for range 3 {
				before := storetest.Spending(t, rdb)
				require.NoError(t, p.Poll(t.Context()))
				sent := storetest.Spending(t, rdb).Less(before).Commands
				t.Logf("%d orders: %d commands", n, sent)
				require.LessOrEqual(t, sent, 10+n/200)
			}
		})
	}
}

// Many polls use no more memory than one, since the cache is reused.
func TestManyTicksKeepNoMoreThanOne(t *testing.T) {
	p, _ := slowServiceOf(t, 20_000, 100_000, 0)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	require.NoError(t, p.Poll(t.Context()))
	one := heap()
	for range 10 {
		require.NoError(t, p.Poll(t.Context()))
	}
	many := heap()
	runtime.KeepAlive(p)
	t.Logf("after one tick %d kB, after eleven %d kB", one>>10, many>>10)
	require.Less(t, many, one+one/10)
}

func BenchmarkQuietTick(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p, _ := slowServiceOf(b, n, 1_000_000, 0)
			require.NoError(b, p.Poll(b.Context()))
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, p.Poll(b.Context()))
			}
		})
	}
}

// Polls are logged at info once a minute at most with changes, and once an hour without.
func TestAnOperatorsLogIsNotFilledByTicks(t *testing.T) {
	withLossyService(t, 1, func(d *lossyService) {
		lines := map[slog.Level]int{}
		p := newPoller(d.t, poll.Config{Service: d.s, Store: poll.StoreOf(d.Store), Only: true, Ops: d.ops.hear, Log: slog.New(levels(lines))})
		ticks := func(n int, status order.Status) {
			d.t.Helper()
			for range n {
				<-time.After(10 * time.Second)
				if status != "" {
					d.s.orders[0].Status, status = status, ""
				}
				require.NoError(d.t, p.Poll(d.t.Context()))
			}
		}
		told := func(at map[slog.Level]int) {
			d.t.Helper()
			require.Equal(d.t, at, lines)
			clear(lines)
		}
		ticks(6*59, "")
		told(map[slog.Level]int{slog.LevelInfo: 1, slog.LevelDebug: 6*59 - 1})
		ticks(1, order.StatusPaused)
		told(map[slog.Level]int{slog.LevelInfo: 1})
		ticks(3, order.StatusEditing)
		told(map[slog.Level]int{slog.LevelDebug: 3})
		ticks(6*60, "")
		told(map[slog.Level]int{slog.LevelInfo: 1, slog.LevelDebug: 6*60 - 1})
	})
}

// levels counts the log lines of polls by level.
type levels map[slog.Level]int

func (l levels) Enabled(context.Context, slog.Level) bool { return true }

func (l levels) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "polled" {
		l[r.Level]++
	}
	return nil
}

func (l levels) WithAttrs([]slog.Attr) slog.Handler { return l }

func (l levels) WithGroup(string) slog.Handler { return l }
