package poll_test

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/cards/ops"
	"darkroom/notifier/poll"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// lossyService is a service that may forget orders, a store with its orders, and an operations channel, in a
// bubble.
type lossyService struct {
	*store.Store
	t   *testing.T
	s   *fakeService
	ops opsChannel

	last *poll.Poller // whose state the next one has
}

// withLossyService tracks n orders of the service in a bubble.
func withLossyService(t *testing.T, n int, f func(d *lossyService)) {
	t.Helper()
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
		d := &lossyService{t: t, s: serviceOf(0), Store: store.New(rdb, q)}
		for i := range n {
			d.places(fmt.Sprint("o", i))
		}
		f(d)
	})
}

// places adds an order that a channel tracks.
func (d *lossyService) places(id string) {
	d.t.Helper()
	zero := 0
	o := order.Order{ID: id, Status: order.StatusEditing, Revision: &zero, OrderedAt: time.Now().Add(-time.Second)}
	d.s.orders = slices.Insert(d.s.orders, 0, o)
	_, err := d.Changes.AddOrder(d.t.Context(), store.NewOrder{
		ID: id, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "UMARIA"}, Order: o,
	})
	require.NoError(d.t, err)
}

// forgets makes the service forget orders; remembers brings them back.
func (d *lossyService) forgets(ids ...string) {
	for _, id := range ids {
		d.s.hidden[id], d.s.broken[id] = true, order.ErrInvalidOrder
	}
}

func (d *lossyService) remembers(ids ...string) {
	for _, id := range ids {
		delete(d.s.hidden, id)
		delete(d.s.broken, id)
	}
}

// ticks polls for a duration, every half minute or a hundred times, with another replica each time.
func (d *lossyService) ticks(long time.Duration) (calls int) {
	d.t.Helper()
	d.s.asked()
	for end := time.Now().Add(long); time.Now().Before(end); {
		<-time.After(max(30*time.Second, long/100))
		require.NoError(d.t, d.tick())
	}
	return len(d.s.asked())
}

func (d *lossyService) tick() error {
	p := newPoller(d.t, poll.Config{Service: d.s, Store: poll.StoreOf(d.Store), Ops: d.ops.hear})
	p.GoOnFrom(d.last)
	d.last = p
	return p.Poll(d.t.Context())
}

// says returns an order's events.
func (d *lossyService) happened(id string) []order.EventKind {
	d.t.Helper()
	events, err := d.Orders.Events(d.t.Context(), id)
	require.NoError(d.t, err)
	kinds := make([]order.EventKind, len(events))
	for i, e := range events {
		kinds[i] = e.Kind
	}
	return kinds
}

var (
	there = []order.EventKind{order.EventPlaced}
	lost  = []order.EventKind{order.EventPlaced, order.EventGone}
	again = []order.EventKind{order.EventPlaced, order.EventGone, order.EventBack}
)

func TestAnOrderIsGoneWhenTheServiceHasNotKnownItForAWhile(t *testing.T) {
	t.Parallel()
	withLossyService(t, 3, func(d *lossyService) {
		d.forgets("o1")
		d.ticks(14 * time.Minute)
		require.Equal(d.t, there, d.happened("o1"), "a replica may lag behind")
		d.remembers("o1")
		d.ticks(time.Minute)
		d.forgets("o1")
		d.ticks(10 * time.Minute)
		require.Equal(d.t, there, d.happened("o1"), "it was there in between")
		d.ticks(6 * time.Minute)
		require.Equal(d.t, lost, d.happened("o1"))
		require.Empty(d.t, d.ops.said, "the channel is told, and nobody else")
	})
}

func TestWhatIsGoneIsLookedForNowAndThenAndComesBackByItself(t *testing.T) {
	t.Parallel()
	withLossyService(t, 3, func(d *lossyService) {
		d.forgets("o1")
		d.ticks(16 * time.Minute)
		require.Equal(d.t, lost, d.happened("o1"))
		quiet := 100
		looks := d.ticks(24*time.Hour) - quiet
		require.GreaterOrEqual(d.t, looks, 5)
		require.LessOrEqual(d.t, looks, 10, "less and less often")
		delete(d.s.broken, "o1") // on no page, as what was canceled
		d.ticks(25 * time.Hour)
		require.Equal(d.t, again, d.happened("o1"))
		d.forgets("o1")
		d.ticks(16 * time.Minute)
		require.Equal(d.t, append(slices.Clone(again), order.EventGone), d.happened("o1"), "it may go again")
		d.remembers("o1")
		d.ticks(30 * time.Second)
		require.Equal(d.t, append(slices.Clone(again), order.EventGone, order.EventBack), d.happened("o1"), "a page showed it")
	})
}

func TestWhatNobodyElseIsLeftOfIsLookedForAsWell(t *testing.T) {
	t.Parallel()
	withLossyService(t, 2, func(d *lossyService) {
		d.forgets("o1")
		d.ticks(16 * time.Minute)
		d.s.set("o0", order.StatusClosed, 0)
		d.ticks(time.Minute)
		d.remembers("o1")
		d.ticks(time.Hour)
		require.Equal(d.t, again, d.happened("o1"))
	})
}

// The key belongs to another account, or a replica of the service lags behind completely.
func TestAllOrdersUnknownIsTheAccountsFault(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3, 12} {
		withLossyService(t, n, func(d *lossyService) {
			ids := make([]string, n)
			for i := range ids {
				ids[i] = fmt.Sprint("o", i)
			}
			d.forgets(ids...)
			d.ops.deaf = true
			require.Error(d.t, d.tick(), "the channel cannot be told now")
			d.ops.deaf = false
			calls := d.ticks(72 * time.Hour)
			require.Equal(d.t, []string{ops.OrdersUnknown(n, n)}, d.ops.said[:1], "any of our orders, once")
			require.Contains(d.t, d.ops.said[0], "our orders. Is the key right?")
			require.Len(d.t, d.ops.said, 1)
			require.LessOrEqual(d.t, calls, 100*min(n, 8)+4, "a few calls are enough to know")
			for _, id := range ids {
				require.Equal(d.t, there, d.happened(id))
			}
			d.remembers(ids...)
			d.ticks(time.Minute)
			require.Equal(d.t, []string{ops.OrdersUnknown(n, n), ops.OrdersKnown}, d.ops.said)
			d.s.set(ids[n-1], order.StatusReviewing, 0)
			d.ticks(30 * time.Second)
			require.Equal(d.t, []order.EventKind{order.EventPlaced, order.EventReady}, d.happened(ids[n-1]))
		})
	}
}

// An outage ends order by order. Misses during it do not count.
func TestAnOrderThatComesLastOutOfADoubtIsNotGivenUp(t *testing.T) {
	t.Parallel()
	withLossyService(t, 4, func(d *lossyService) {
		d.forgets("o0", "o1", "o2", "o3")
		d.ticks(time.Hour)
		d.remembers("o1", "o2", "o3")
		d.ticks(10 * time.Minute)
		require.Equal(d.t, there, d.happened("o0"))
		require.Equal(d.t, []string{ops.OrdersUnknown(4, 4), ops.OrdersKnown}, d.ops.said)
		d.ticks(10 * time.Minute)
		require.Equal(d.t, lost, d.happened("o0"), "the service is itself again, and does not know it")
	})
}

func TestOrdersPlacedWithAnotherKeyAreNoWitnesses(t *testing.T) {
	t.Parallel()
	withLossyService(t, 2, func(d *lossyService) {
		d.forgets("o0", "o1")
		d.ticks(time.Minute)
		for i := range 6 {
			d.places(fmt.Sprint("young", i))
		}
		d.ticks(48 * time.Hour)
		require.Equal(d.t, there, d.happened("o0"))
		require.Len(d.t, d.ops.said, 1)
		d.s.set("young3", order.StatusReviewing, 0)
		d.ticks(30 * time.Second)
		require.Equal(d.t, []order.EventKind{order.EventPlaced, order.EventReady}, d.happened("young3"), "they have news all the same")
		calls := d.ticks(24 * time.Hour)
		require.LessOrEqual(d.t, calls, 100*5, "two old ones, a witness and a page a tick: not the young one by one")
		d.remembers("o0", "o1")
		d.ticks(30 * time.Second)
		require.Len(d.t, d.ops.said, 2)
		require.Equal(d.t, there, d.happened("o0"))
	})
}

// The list and single orders may come from different replicas of the service, and either may lag behind.
func TestAnOrderThatAPageShowsIsNotGone(t *testing.T) {
	t.Parallel()
	withLossyService(t, 3, func(d *lossyService) {
		d.s.set("o1", order.StatusReviewing, 0)
		d.s.broken["o1"] = order.ErrInvalidOrder // though the list has it
		d.ticks(time.Hour)
		require.Equal(d.t, there, d.happened("o1"))
		delete(d.s.broken, "o1")
		d.ticks(30 * time.Second)
		require.Equal(d.t, []order.EventKind{order.EventPlaced, order.EventReady}, d.happened("o1"))
	})
}

func TestMostOrdersUnknownAreDoubtedForADay(t *testing.T) {
	t.Parallel()
	withLossyService(t, 3, func(d *lossyService) {
		d.forgets("o0", "o2")
		d.ticks(23 * time.Hour)
		require.Equal(d.t, there, d.happened("o0"))
		require.Equal(d.t, []string{ops.OrdersUnknown(2, 3)}, d.ops.said)
		require.Contains(d.t, d.ops.said[0], "2 of our 3 orders")
		d.ticks(2 * time.Hour)
		require.Equal(d.t, lost, d.happened("o0"))
		require.Equal(d.t, lost, d.happened("o2"))
		require.Equal(d.t, []string{ops.OrdersUnknown(2, 3), ops.OrdersGivenUp(2)}, d.ops.said)
		require.Equal(d.t, there, d.happened("o1"))
	})
}

func TestOneOfManyUnknownIsSimplyGone(t *testing.T) {
	t.Parallel()
	withLossyService(t, 60, func(d *lossyService) {
		d.forgets("o37")
		d.ticks(16 * time.Minute)
		require.Equal(d.t, lost, d.happened("o37"))
		require.Empty(d.t, d.ops.said)
	})
}

func TestTheOnlyOrderIsDoubtedUnlessAFinishedOneBearsWitness(t *testing.T) {
	t.Parallel()
	withLossyService(t, 1, func(d *lossyService) {
		d.forgets("o0")
		d.ticks(23 * time.Hour)
		require.Equal(d.t, there, d.happened("o0"))
		require.Len(d.t, d.ops.said, 1)
		d.ticks(2 * time.Hour)
		require.Equal(d.t, lost, d.happened("o0"), "one is not many, and nothing else can tell")
	})
	withLossyService(t, 2, func(d *lossyService) {
		d.s.set("o1", order.StatusClosed, 0)
		d.ticks(time.Minute)
		d.forgets("o0")
		d.ticks(16 * time.Minute)
		require.Equal(d.t, lost, d.happened("o0"), "the service knows what it did for us")
		require.Empty(d.t, d.ops.said)
	})
	withLossyService(t, 2, func(d *lossyService) {
		d.s.set("o1", order.StatusClosed, 0)
		d.ticks(time.Minute)
		d.forgets("o0", "o1")
		d.ticks(72 * time.Hour)
		require.Equal(d.t, there, d.happened("o0"), "not even that is known: the key is wrong")
		require.Len(d.t, d.ops.said, 1)
	})
}

func TestAnOutageBetweenTwoMissesDecidesNothing(t *testing.T) {
	t.Parallel()
	withLossyService(t, 3, func(d *lossyService) {
		d.forgets("o1")
		d.ticks(time.Minute)
		d.s.refuses = order.ErrUnavailable
		for range 40 {
			<-time.After(30 * time.Second)
			require.Error(d.t, d.tick())
		}
		require.Equal(d.t, there, d.happened("o1"), "who is away is no judge")
		d.s.refuses = nil
		d.ticks(time.Minute)
		require.Equal(d.t, there, d.happened("o1"), "nor is who just came back")
		d.remembers("o1")
		d.ticks(time.Minute)
		require.Equal(d.t, there, d.happened("o1"))
		require.Equal(d.t, []string{ops.ServiceDown, ops.ServiceBack}, d.ops.said)
	})
}
