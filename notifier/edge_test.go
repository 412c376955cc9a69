package notifier_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier"
	"darkroom/order"
)

// crowds puts that many orders of others on top of the list.
func (d *darkness) crowds(n int) {
	var others []order.Order
	for i := range n {
		others = append(others, order.Order{ID: fmt.Sprint("other", i), Status: order.StatusEditing, OrderedAt: time.Now()})
	}
	d.s.orders = append(others, d.s.orders...)
}

// Where the list is to be left is found out anew after an hour: orders may lie together
// elsewhere by then.
func TestWhereTheListIsLeftIsForgottenAfterAnHour(t *testing.T) {
	t.Parallel()
	inTheDark(t, 12, func(d *darkness) {
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

// A list that shows none of our orders while the service does not know them either is another
// account's: where to leave that one says nothing about ours.
func TestAnotherAccountsListTeachesNothing(t *testing.T) {
	t.Parallel()
	inTheDark(t, 12, func(d *darkness) {
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

// Orders that tell no time and were on no page worth its call lie below as well.
func TestOrdersWithoutTheirTimeAreNotLookedForOnPagesForEver(t *testing.T) {
	t.Parallel()
	s := studioOf(400)
	n := following(s, 300, 310, 320)
	for id, a := range n.active {
		a.OrderedAt = time.Time{}
		n.active[id] = a
	}
	p := newPoller(t, notifier.PollerConfig{Service: s, Store: n})
	require.NoError(t, p.Tick(t.Context()))
	require.Contains(t, s.asked(), "list 1")
	require.NoError(t, p.Tick(t.Context()))
	require.Equal(t, []string{"fetch o300", "fetch o310", "fetch o320"}, s.asked())
}
