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

// archive is a service with n orders of ours and none of others, each page of which takes a while.
type archive struct {
	n     int
	takes time.Duration
	turns *ratelimit.Background
}

func (a archive) id(i int) string { return fmt.Sprintf("ord-%07d", i) }

func (a archive) placed(i int) time.Time { return placedAt.Add(-time.Duration(i) * time.Minute) }

func (a archive) List(ctx context.Context, f order.Filter) (order.Page, error) {
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

func (a archive) Fetch(context.Context, string) (order.Order, error) {
	return order.Order{}, order.ErrInvalidOrder
}

// fill puts its orders on record.
func (a archive) fill(tb testing.TB, rdb redis.UniversalClient) {
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

// archiveOf is n active orders on record in a Redis of their own, and their poller.
func archiveOf(tb testing.TB, n, perSecond int, takes time.Duration) (*poll.Poller, *redis.Client) {
	tb.Helper()
	rdb := storetest.Start(tb).Client()
	s := store.New(rdb, queue.New(rdb, queue.Options{}))
	a := archive{n: n, takes: takes, turns: ratelimit.NewRate(rdb, keyspace.Keyspace{}, perSecond).Background()}
	a.fill(tb, rdb)
	p, err := poll.New(poll.Config{
		Service: a, Store: poll.StoreOf(s), Schedule: "@every 30s", Turns: a.turns, Ops: (&earshot{}).hear, Log: slog.New(slog.DiscardHandler),
		Retention: retention.Policy{Full: retention.FullFor},
	})
	require.NoError(tb, err)
	return p, rdb
}

// The law: ten commands, and one more for every two hundred orders, those in scripts counted. Once in ten
// minutes a poll also looks after finished orders, which is not counted here.
func TestAQuietTickCostsRedisLittle(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 10, 200, 1000, 10_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p, rdb := archiveOf(t, n, 20_000, 0)
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

// The cache is kept, so polls over many orders leave no more in memory than one.
func TestManyTicksKeepNoMoreThanOne(t *testing.T) {
	p, _ := archiveOf(t, 20_000, 100_000, 0)
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
			p, _ := archiveOf(b, n, 1_000_000, 0)
			require.NoError(b, p.Poll(b.Context()))
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, p.Poll(b.Context()))
			}
		})
	}
}

// Each tick is a line of the log, but an operator's log does not fill up: news comes once a minute at most,
// and that all is quiet once an hour.
func TestAnOperatorsLogIsNotFilledByTicks(t *testing.T) {
	inTheDark(t, 1, func(d *darkness) {
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

// levels counts the lines about ticks, by their level.
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
