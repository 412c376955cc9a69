package poll_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	cardsops "darkroom/cards/ops"
	"darkroom/notifier/poll"
	"darkroom/order"
	"darkroom/store"
)

func upTo(n int) []int {
	var numbers []int
	for i := range n {
		numbers = append(numbers, i)
	}
	return numbers
}

func TestTickRecordsAChangeOnceAndInFull(t *testing.T) {
	t.Parallel()
	s := serviceOf(10)
	n := following(s, 1, 2, 3)
	p := newPoller(t, poll.Config{Service: s, Store: n.parts()})
	s.set("o2", order.StatusReviewing, 0)

	require.NoError(t, p.Poll(t.Context()))
	require.Equal(t, []string{"fetch o2", "list 1"}, s.asked())
	require.Equal(t, []string{"o2 reviewing"}, n.recorded)
	require.Equal(t, 1, n.images["o2"], "a summary has no images: it must be fetched")

	require.NoError(t, p.Poll(t.Context()))
	require.Equal(t, []string{"list 1"}, s.asked())
	require.Len(t, n.recorded, 1)
}

func TestTickSeesANewRevisionOfTheSameStatus(t *testing.T) {
	t.Parallel()
	s := serviceOf(3)
	s.set("o1", order.StatusReviewing, 0)
	n := following(s, 0, 1, 2)
	s.set("o1", order.StatusReviewing, 1)
	require.NoError(t, newPoller(t, poll.Config{Service: s, Store: n.parts()}).Poll(t.Context()))
	require.Equal(t, []string{"o1 reviewing"}, n.recorded)
}

func TestTickFetchesByIDWhatNoPageShows(t *testing.T) {
	t.Parallel()
	s := serviceOf(30)
	n := following(s, 1, 2, 3)
	s.set("o2", order.StatusCanceled, 0)
	s.hidden["o2"] = true
	p := newPoller(t, poll.Config{Service: s, Store: n.parts()})
	require.NoError(t, p.Poll(t.Context()))
	require.Equal(t, []string{"fetch o2", "list 1"}, s.asked())
	require.Equal(t, []string{"o2 canceled"}, n.recorded)
	require.NotContains(t, n.active, "o2")
}

func TestTickFindsOrdersThatShiftBetweenPages(t *testing.T) {
	t.Parallel()
	s := serviceOf(60)
	numbers := upTo(60)
	n := following(s, numbers...)
	for _, i := range numbers {
		s.set(fmt.Sprint("o", i), order.StatusReviewing, 0)
	}
	s.shift = func(page int) { // an older order moves up: o20 is on no page, others come twice
		if page == 1 {
			o := s.orders[20]
			s.orders = slices.Insert(slices.Delete(s.orders, 20, 21), 0, o)
		}
	}
	p := newPoller(t, poll.Config{Service: s, Store: n.parts()})
	require.NoError(t, p.Poll(t.Context()))
	require.Len(t, n.recorded, 60)
	require.Contains(t, s.asked(), "fetch o20")
}

func TestTickStopsAtTheOldestActiveOrder(t *testing.T) {
	t.Parallel()
	s := serviceOf(400)
	n := following(s, upTo(25)...)
	s.hidden["o3"], s.hidden["o4"], s.hidden["o5"] = true, true, true
	p := newPoller(t, poll.Config{Service: s, Store: n.parts()})
	require.NoError(t, p.Poll(t.Context()))
	require.Equal(t, []string{"fetch o3", "fetch o4", "fetch o5", "list 1", "list 2"}, s.asked())
}

func TestTickReadsEveryPageWhenAnOrderDoesNotTellItsAge(t *testing.T) {
	t.Parallel()
	s := serviceOf(45)
	n := following(s, upTo(45)...)
	a := n.active["o44"]
	n.active["o44"] = store.Active{Status: a.Status, Version: 1}
	require.NoError(t, newPoller(t, poll.Config{Service: s, Store: n.parts()}).Poll(t.Context()))
	require.Equal(t, []string{"list 1", "list 2", "list 3"}, s.asked())
}

func TestTickFetchesFewOrdersByID(t *testing.T) {
	t.Parallel()
	s := serviceOf(400)
	n := following(s, 390)
	p := newPoller(t, poll.Config{Service: s, Store: n.parts()})
	require.NoError(t, p.Poll(t.Context()))
	require.Equal(t, []string{"fetch o390"}, s.asked())
}

func TestTickLearnsWhatPagesCost(t *testing.T) {
	t.Parallel()
	s := serviceOf(400)
	n := following(s, 300, 310, 320)
	tick := replicas(t, s, n.parts())
	require.NoError(t, tick())
	first := s.asked()
	require.Contains(t, first, "list 1")
	require.LessOrEqual(t, len(first), 6)

	require.NoError(t, tick(), "on another replica, or after a restart")
	require.Equal(t, []string{"fetch o300", "fetch o310", "fetch o320"}, s.asked())

	delete(n.active, "o320")
	require.NoError(t, tick())
	require.Equal(t, []string{"fetch o300", "fetch o310"}, s.asked())
}

func TestTickReadsSideBySideWithinABound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := serviceOf(400)
		s.meeting = make(chan struct{})
		n := following(s, upTo(400)...)
		p := newPoller(t, poll.Config{Service: s, Store: n.parts()})
		done := make(chan error)
		go func() { done <- p.Poll(t.Context()) }()
		for range 20 {
			synctest.Wait()
			s.meeting <- struct{}{}
		}
		require.NoError(t, <-done)
		require.Equal(t, 8, s.most)
		require.Len(t, s.asked(), 20)
	})
}

func TestTickGoesOnWhenOneOrderFails(t *testing.T) {
	t.Parallel()
	s := serviceOf(5)
	n := following(s, upTo(5)...)
	for i := range 5 {
		s.set(fmt.Sprint("o", i), order.StatusReviewing, 0)
	}
	s.broken["o1"] = order.ErrUnavailable
	n.failing["o3"] = true
	err := newPoller(t, poll.Config{Service: s, Store: n.parts()}).Poll(t.Context())
	require.ErrorContains(t, err, "order o1")
	require.ErrorContains(t, err, "order o3")
	require.ElementsMatch(t, []string{"o0 reviewing", "o2 reviewing", "o4 reviewing"}, n.recorded)
}

func TestATickThatIsCutShortKeepsWhatItLearned(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := serviceOf(60)
		s.meeting = make(chan struct{})
		n := following(s, upTo(60)...)
		s.set("o5", order.StatusReviewing, 0)
		ctx, cut := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- newPoller(t, poll.Config{Service: s, Store: n.parts()}).Poll(ctx) }()
		synctest.Wait()
		s.meeting <- struct{}{} // page 1
		synctest.Wait()
		cut()
		close(s.meeting)
		require.ErrorIs(t, <-done, context.Canceled)
		require.Equal(t, []string{"o5 reviewing"}, n.recorded)
	})
}

func TestTickReportsAnOrderTheServiceDoesNotKnow(t *testing.T) {
	t.Parallel()
	s := serviceOf(3)
	n := following(s, upTo(3)...)
	s.orders = slices.Delete(s.orders, 1, 2)
	require.NoError(t, newPoller(t, poll.Config{Service: s, Store: n.parts()}).Poll(t.Context()))
	require.Equal(t, []string{"o1"}, n.missed)
}

func TestTickFetchesAgainWhenTheRecordIsNewer(t *testing.T) {
	t.Parallel()
	s := serviceOf(2)
	n := following(s, 0, 1)
	s.set("o1", order.StatusReviewing, 0)
	n.stale = 2
	require.NoError(t, newPoller(t, poll.Config{Service: s, Store: n.parts()}).Poll(t.Context()))
	require.Equal(t, []string{"fetch o1", "fetch o1", "fetch o1", "list 1"}, s.asked())
	require.Equal(t, []string{"o1 reviewing"}, n.recorded)
}

func TestTickLeavesAnOrderThatKeepsChangingToTheNext(t *testing.T) {
	t.Parallel()
	s := serviceOf(1)
	n := following(s, 0)
	s.set("o0", order.StatusReviewing, 0)
	n.stale = 100
	require.ErrorIs(t, newPoller(t, poll.Config{Service: s, Store: n.parts()}).Poll(t.Context()), store.ErrStale)
	require.Len(t, s.asked(), 3)
}

func TestTickGivesLaggardsAJob(t *testing.T) {
	t.Parallel()
	s := serviceOf(1)
	n := following(s)
	n.behind = []string{"a", "b", "c"}
	n.failing["b"] = true
	err := newPoller(t, poll.Config{Service: s, Store: n.parts()}).Poll(t.Context())
	require.ErrorContains(t, err, "announce order b")
	require.Equal(t, []string{"a", "c"}, n.put)
	require.Empty(t, s.asked(), "no active orders, nothing to ask")
}

// Pending events are announced even while the service is down.
func TestTickGivesLaggardsAJobWhileTheServiceIsDown(t *testing.T) {
	t.Parallel()
	s := serviceOf(2)
	n := following(s, 0, 1)
	s.refuses = order.ErrUnavailable
	n.behind = []string{"a"}
	require.ErrorIs(t, newPoller(t, poll.Config{Service: s, Store: n.parts()}).Poll(t.Context()), order.ErrUnavailable)
	require.Equal(t, []string{"a"}, n.put)
	require.Empty(t, n.recorded, "nothing is known of the orders")
	require.Empty(t, n.missed, "that the service is down does not say that it lost an order")
}

func TestAnOutageCostsATickAFewCallsHoweverManyOrdersThereAre(t *testing.T) {
	t.Parallel()
	s := serviceOf(100)
	n := following(s, numbers(100)...)
	s.refuses = order.ErrUnavailable
	require.Error(t, newPoller(t, poll.Config{Service: s, Store: n.parts()}).Poll(t.Context()))
	require.LessOrEqual(t, len(s.asked()), 1+4+4) // the page, one wave, and those that began before it ended
}

func TestAListThatCannotBeReadLeavesNoChannelInTheDark(t *testing.T) {
	t.Parallel()
	s := serviceOf(30)
	n := following(s, numbers(30)...)
	s.noList = order.ErrUnavailable
	s.set("o29", order.StatusReviewing, 0)
	var ops opsChannel
	p := newPoller(t, poll.Config{Service: s, Store: n.parts(), Ops: ops.hear})
	for range 4 {
		require.Error(t, p.Poll(t.Context()), "the list is still broken")
	}
	require.Equal(t, []string{"o29 reviewing"}, n.recorded)
	require.Empty(t, ops.said, "the service answers: it is not down")
}

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func TestTickFailsWithTheRecord(t *testing.T) {
	t.Parallel()
	n := &memoryStore{dead: errors.New("no redis")}
	err := newPoller(t, poll.Config{Service: serviceOf(1), Store: n.parts()}).Poll(t.Context())
	require.ErrorContains(t, err, "active orders: no redis")
	require.ErrorContains(t, err, "unannounced orders: no redis")
}

func TestOutageIsSaidOnceAndItsEndOnce(t *testing.T) {
	t.Parallel()
	s := serviceOf(4)
	ops := &opsChannel{}
	n := following(s, 0, 1)
	tick := func(err error) {
		s.refuses = err
		another := newPoller(t, poll.Config{Service: s, Store: n.parts(), Ops: ops.hear})
		_ = another.Poll(t.Context()) // whichever replica polls now
	}
	tick(nil)
	require.Empty(t, ops.said)
	ops.deaf = true
	tick(order.ErrUnavailable)
	ops.deaf = false
	tick(order.ErrUnavailable)
	tick(order.ErrUnavailable)
	require.Equal(t, []string{cardsops.ServiceDown}, ops.said)
	ops.deaf = true
	tick(nil)
	ops.deaf = false
	tick(nil)
	tick(nil)
	require.Equal(t, []string{cardsops.ServiceDown, cardsops.ServiceBack}, ops.said)
}

// Without active orders, only a new order causes a call to the service.
func TestAnOutageThatOnlyNewOrdersMeetIsSaidToo(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]*memoryStore{"nothing tracked": following(serviceOf(0)), "all gone": following(serviceOf(1), 0)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for id, a := range n.active {
				a.Gone, a.Missed = true, store.Missed{Since: time.Now(), Last: time.Now()}
				n.active[id] = a
			}
			s, ops := serviceOf(4), &opsChannel{}
			tick := func(err error) []string {
				s.refuses = err
				_ = newPoller(t, poll.Config{Service: s, Store: n.parts(), Ops: ops.hear}).Poll(t.Context())
				return s.asked()
			}
			require.Empty(t, tick(order.ErrUnavailable), "nobody waits for it")
			require.NoError(t, n.PutTTL(t.Context(), store.PlacingWaits, time.Now(), time.Minute))
			require.Empty(t, ops.said)
			for range 3 {
				require.Equal(t, []string{"list 1"}, tick(order.ErrUnavailable))
			}
			require.Equal(t, []string{cardsops.ServiceDown}, ops.said)
			require.NoError(t, n.Delete(t.Context(), store.PlacingWaits))
			require.Equal(t, []string{"list 1"}, tick(nil), "it is known to be away")
			require.Equal(t, []string{cardsops.ServiceDown, cardsops.ServiceBack}, ops.said)
			require.Empty(t, tick(nil))
		})
	}
}

func TestOneBrokenOrderIsNoOutage(t *testing.T) {
	t.Parallel()
	s := serviceOf(4)
	ops := &opsChannel{}
	n := following(s, 0, 1)
	p := newPoller(t, poll.Config{Service: s, Store: n.parts(), Ops: ops.hear})
	s.set("o1", order.StatusReviewing, 0)
	s.broken["o1"] = order.ErrUnavailable
	require.Error(t, p.Poll(t.Context()))
	require.Empty(t, ops.said)
}

func TestABusyServiceIsNoOutage(t *testing.T) {
	t.Parallel()
	s := serviceOf(4)
	ops := &opsChannel{}
	p := newPoller(t, poll.Config{Service: s, Store: following(s, 0).parts(), Ops: ops.hear})
	s.refuses = fmt.Errorf("%w: %w", order.ErrUnavailable, order.ErrRateLimited)
	require.Error(t, p.Poll(t.Context()))
	require.Empty(t, ops.said)
}

func TestAnOrderThatStaysUnknownIsWrittenDownNowAndThen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		after(time.Until(placedAt)) // a bubble begins in the year 2000
		s := serviceOf(3)
		n := following(s, upTo(3)...)
		s.orders = slices.Delete(s.orders, 1, 2)
		for range 20 {
			require.NoError(t, newPoller(t, poll.Config{Service: s, Store: n.parts()}).Poll(t.Context()))
			after(30 * time.Second)
		}
		require.Equal(t, []string{"o1"}, n.missed)
		require.Zero(t, n.noted)
	})
}

// A poll is not blind if one order fails each time or the operations channel cannot be notified.
func TestATickIsBlindOnlyWhenTheServiceTellsNoNews(t *testing.T) {
	t.Parallel()
	away := errors.New("no")
	for name, test := range map[string]struct {
		cause  func(s *fakeService, n *memoryStore)
		blind  bool
		failed int
	}{
		"all is well": {cause: func(*fakeService, *memoryStore) {}},
		"one order cannot be read": {cause: func(s *fakeService, _ *memoryStore) {
			s.hidden["o1"], s.broken["o1"] = true, order.ErrUnavailable
		}, failed: 1},
		"one order cannot be recorded": {cause: func(s *fakeService, n *memoryStore) {
			s.set("o1", order.StatusReviewing, 0)
			n.failing = map[string]bool{"o1": true}
		}, failed: 1},
		"the operations channel is out of reach": {cause: func(_ *fakeService, n *memoryStore) {
			n.notes = map[string][]byte{"service-down": []byte(`"2026-01-01T00:00:00Z"`)}
		}},
		"the list cannot be read":   {cause: func(s *fakeService, _ *memoryStore) { s.noList = order.ErrUnavailable }, blind: true},
		"the service is away":       {cause: func(s *fakeService, _ *memoryStore) { s.refuses = order.ErrUnavailable }, blind: true, failed: 3},
		"the record cannot be read": {cause: func(_ *fakeService, n *memoryStore) { n.dead = away }, blind: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := serviceOf(3)
			n := following(s, 0, 1, 2)
			test.cause(s, n)
			var cost poll.Cost
			p := newPoller(t, poll.Config{
				Service: s, Store: n.parts(), Observe: func(c poll.Cost) { cost = c },
				Ops: func(context.Context, string) (bool, error) { return false, away },
			})
			err := p.Poll(t.Context())
			require.Equal(t, err, cost.Err)
			require.Equal(t, name == "all is well", err == nil, "%v", err)
			require.Equal(t, test.blind, cost.Blind)
			require.Equal(t, test.failed, cost.Failed)
		})
	}
}
