package poll_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
	"darkroom/order"
)

// crowds puts a number of other people's orders on top of the list.
func (d *lossyService) crowds(n int) {
	var others []order.Order
	for i := range n {
		others = append(others, order.Order{ID: fmt.Sprint("other", i), Status: order.StatusEditing, OrderedAt: time.Now()})
	}
	d.s.orders = append(others, d.s.orders...)
}

// The cutoff is learned again after an hour: orders may lie elsewhere by then.
func TestWhereTheListIsLeftIsForgottenAfterAnHour(t *testing.T) {
	t.Parallel()
	withLossyService(t, 12, func(d *lossyService) {
		d.ticks(time.Minute)
		d.crowds(100)
		d.ticks(time.Minute)
		quiet := d.ticks(30 * time.Second)
		require.Equal(d.t, 12, quiet, "they lie far down, and are asked for by their ids")
		d.s.orders = d.s.orders[100:] // the others are gone
		require.Equal(d.t, 12, d.ticks(30*time.Second))
		d.ticks(time.Hour)
		require.Equal(d.t, 1, d.ticks(30*time.Second), "one page shows them all")
	})
}

// If neither the list nor a fetch knows our orders, the list is another account's, and no cutoff is
// learned from it.
func TestAnotherAccountsListTeachesNothing(t *testing.T) {
	t.Parallel()
	withLossyService(t, 12, func(d *lossyService) {
		d.ticks(time.Minute)
		mine, ids := d.s.orders, []string{}
		for _, o := range mine {
			ids = append(ids, o.ID)
		}
		d.forgets(ids...)
		d.s.orders = nil
		d.crowds(100)
		d.ticks(5 * time.Minute)
		d.s.orders = mine
		d.remembers(ids...)
		d.ticks(time.Minute) // each is read in full, once
		require.Equal(d.t, 1, d.ticks(30*time.Second), "one page shows them all")
	})
}

// Undated orders on no worthwhile page also lie below the cutoff.
func TestOrdersWithoutTheirTimeAreNotLookedForOnPagesForEver(t *testing.T) {
	t.Parallel()
	s := serviceOf(400)
	n := following(s, 300, 310, 320)
	for id, a := range n.active {
		a.OrderedAt = time.Time{}
		n.active[id] = a
	}
	p := newPoller(t, poll.Config{Service: s, Store: n.parts()})
	require.NoError(t, p.Poll(t.Context()))
	require.Contains(t, s.asked(), "list 1")
	require.NoError(t, p.Poll(t.Context()))
	require.Equal(t, []string{"fetch o300", "fetch o310", "fetch o320"}, s.asked())
}

// follows tracks these orders of the service.
func (n *memoryStore) follows(s *fakeService, numbers ...int) {
	maps.Copy(n.active, following(s, numbers...).active)
}

// A cutoff that was learned with few orders does not hold for orders tracked later.
func TestOrdersThatAreTrackedLaterAreListedAgain(t *testing.T) {
	t.Parallel()
	s := serviceOf(100)
	n := following(s, 40, 50, 60)
	another := replicas(t, s, n.parts())
	tick := func() []string {
		t.Helper()
		require.NoError(t, another())
		return s.asked()
	}
	tick()
	require.ElementsMatch(t, []string{"fetch o40", "fetch o50", "fetch o60"}, tick(), "they lie below")
	n.follows(s, upTo(100)...)
	five := []string{"list 1", "list 2", "list 3", "list 4", "list 5"}
	for range 3 {
		require.ElementsMatch(t, five, tick())
	}
}

// Ended orders do not allow more orders to be fetched by id.
func TestWhatWasLearnedIsOfNoMoreOrdersThanAreLeft(t *testing.T) {
	t.Parallel()
	s := serviceOf(400)
	n := following(s, upTo(330)[300:]...)
	another := replicas(t, s, n.parts())
	tick := func() []string {
		t.Helper()
		require.NoError(t, another())
		return s.asked()
	}
	tick()
	require.Len(t, tick(), 30, "they lie below")
	for i := 305; i < 330; i++ {
		delete(n.active, fmt.Sprint("o", i))
	}
	noted := n.noted
	require.Len(t, tick(), 5)
	require.Len(t, tick(), 5)
	require.Equal(t, noted, n.noted, "a quiet tick writes nothing")
	n.follows(s, upTo(350)[330:]...)
	s.orders = s.orders[300:] // those of others are gone
	require.ElementsMatch(t, []string{"list 1", "list 2", "list 3"}, tick())
}
