package poll_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
	"darkroom/order"
	"darkroom/sandbox/photos"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
	"darkroom/upstream"
)

// account is a busy account at the sandbox's service, called by the real client.
type account struct {
	t      *testing.T
	photos *photos.Service
	client *upstream.Client
	store  *store.Store
	p      *poll.Poller
	low    decimal.Decimal // LOW_CREDITS
}

// busyAccount has twenty thousand orders of other people, a thousand a day.
func busyAccount(t *testing.T) *account {
	t.Helper()
	s := photos.New(photos.Options{Manual: true, Crowd: photos.Crowd{Size: 20_000, Span: 20 * 24 * time.Hour}})
	require.NoError(t, s.Start())
	t.Cleanup(s.Close)
	c, err := upstream.New(upstream.Config{URL: s.URL(), Key: "sandbox-key", Secret: "sandbox-secret", Retries: -1})
	require.NoError(t, err)
	rdb := storetest.Client(t)
	a := &account{t: t, photos: s, client: c, store: store.New(rdb, queue.New(rdb, queue.Options{}))}
	a.restart()
	return a
}

// restart replaces the poller by another replica, or the same one after a restart.
func (a *account) restart() {
	before := a.p
	a.p = newPoller(a.t, poll.Config{
		Service: a.client, Store: poll.StoreOf(a.store),
		Credits: poll.NewCreditWatch(poll.CreditWatchConfig{Below: a.low, Balance: a.client.Balance, Store: a.store.Documents}),
	})
	a.p.GoOnFrom(before)
}

// follow tracks these orders in a channel.
func (a *account) follow(orders []order.Order) {
	a.t.Helper()
	for _, o := range orders {
		_, err := a.store.Changes.AddOrder(a.t.Context(), store.NewOrder{
			ID: o.ID, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "UMARIA"}, Order: o, Adopted: true,
		})
		require.NoError(a.t, err)
	}
}

// pages returns the orders on these pages of the list.
func (a *account) pages(status order.Status, from, to int) (orders []order.Order) {
	a.t.Helper()
	for page := from; page <= to; page++ {
		got, err := a.client.List(a.t.Context(), order.Filter{Status: string(status), Page: page})
		require.NoError(a.t, err)
		orders = append(orders, got.Orders...)
	}
	return orders
}

// tick polls once and counts the calls.
func (a *account) tick() (calls int) {
	a.t.Helper()
	before := len(a.photos.Requests())
	require.NoError(a.t, a.p.Poll(a.t.Context()))
	return len(a.photos.Requests()) - before
}

// oldest returns the n oldest orders that are not closed.
func (a *account) oldest(n int) []order.Order {
	a.t.Helper()
	first, err := a.client.List(a.t.Context(), order.Filter{Status: "paused"})
	require.NoError(a.t, err)
	last := a.pages(order.StatusPaused, first.TotalPages-1, first.TotalPages)
	return last[len(last)-n:]
}

// law returns the most calls a poll may make for n active orders at the top of the list.
func law(n int) int { return (n+19)/20 + 2 }

func TestWhatATickCostsOnABusyAccount(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		recent, old               int
		ignorant, quiet, restarts int // calls at most
	}{
		"7 old ones":                        {0, 7, 9, 7, 7},
		"400 active":                        {400, 0, law(400), law(400), law(400)},
		"none":                              {0, 0, 0, 0, 0},
		"25 active":                         {25, 0, law(25), law(25), law(25)},
		"64 active: no wave reads too many": {64, 0, law(64), law(64), law(64)},
		"200 active and 7 old ones":         {200, 7, law(200) + 9, law(200) + 7, law(200) + 7},
		"2 old ones":                        {0, 2, 3, 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			a := busyAccount(t)
			a.follow(a.oldest(20)[:test.old])
			a.follow(a.pages("", 1, 1+test.recent/20)[:test.recent])
			for range 2 { // what has just been placed is read in full, once
				a.tick()
			}
			a.p = nil
			a.restart()
			ignorant := a.tick()
			quiet := a.tick()
			a.restart()
			restart := a.tick()
			t.Logf("%s: the first tick %d calls, a quiet tick %d, a restart %d", name, ignorant, quiet, restart)
			require.LessOrEqual(t, ignorant, test.ignorant, "nobody knows where the list is to be left")
			require.LessOrEqual(t, quiet, test.quiet, "a quiet tick")
			require.LessOrEqual(t, restart, test.restarts, "a restart")
		})
	}
}

// A poll that checks the credits stays within the limit, too.
func TestWatchingTheCreditsCostsATickOneCallNowAndThen(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 25, 200} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			a := busyAccount(t)
			a.follow(a.pages("", 1, 1+n/20)[:n])
			for range 2 {
				a.tick()
			}
			quiet := a.tick()
			a.low = decimal.NewFromInt(5)
			a.restart() // and so it looks at once
			require.LessOrEqual(t, a.tick(), min(quiet+1, law(n)))
			require.Equal(t, quiet, a.tick(), "it has looked")
		})
	}
}

func TestPagesThatShiftWhileTheyAreReadCostLittle(t *testing.T) {
	t.Parallel()
	a := busyAccount(t)
	a.follow(a.pages("", 1, 8))
	for range 2 {
		a.tick()
	}
	a.photos.Misbehave(photos.List, photos.Arrives(1), 5)
	require.LessOrEqual(t, a.tick(), law(160)+3, "an order that is seen on no page because of it costs one call")
	require.LessOrEqual(t, a.tick(), law(160))
}

func TestOneOrderWithoutItsTimeChangesNothing(t *testing.T) {
	t.Parallel()
	a := busyAccount(t)
	mine := append(a.pages("", 1, 5), a.oldest(1)...)
	require.NoError(t, a.photos.Undate(mine[7].ID))
	require.NoError(t, a.photos.Undate(mine[100].ID)) // the old one
	mine[7].OrderedAt, mine[100].OrderedAt = time.Time{}, time.Time{}
	a.follow(mine)
	for range 3 {
		a.tick()
	}
	require.LessOrEqual(t, a.tick(), law(100)+1, "five pages, and the one that lies far below")
}

// A service's claims about its list may be wrong.
func TestAListThatLiesIsLeftWhenItCostsMoreThanItSaves(t *testing.T) {
	t.Parallel()
	zero := 0
	known := func(n int) []order.Order {
		orders := make([]order.Order, n)
		for i := range orders {
			orders[i] = order.Order{
				ID: fmt.Sprint("o", i), Status: order.StatusEditing, Revision: &zero, OrderedAt: placedAt.Add(-time.Duration(i) * time.Minute),
			}
		}
		return orders
	}
	for name, test := range map[string]struct {
		lie   func(page int, p *order.Page, all []order.Order)
		calls int // of a second tick over a hundred active orders
	}{
		"one page for ever": {func(_ int, p *order.Page, all []order.Order) {
			p.Orders, p.TotalPages = all[:20], 1<<20
		}, 1 + 80},
		"too few pages":  {func(_ int, p *order.Page, _ []order.Order) { p.TotalPages = 1 }, 5},
		"no page count":  {func(_ int, p *order.Page, _ []order.Order) { p.TotalPages, p.PerPage = 0, 0 }, 5},
		"too many pages": {func(_ int, p *order.Page, _ []order.Order) { p.TotalPages = 9999 }, 5},
		"an empty page in the middle": {func(page int, p *order.Page, _ []order.Order) {
			if page == 3 {
				p.Orders = nil
			}
		}, 5 + 20},
		"fewer on a page": {func(page int, p *order.Page, all []order.Order) {
			from := min((page-1)*10, len(all))
			p.Orders, p.PerPage, p.TotalPages = all[from:min(from+10, len(all))], 10, 10
		}, 10},
		"more on a page": {func(page int, p *order.Page, all []order.Order) {
			from := min((page-1)*50, len(all))
			p.Orders, p.PerPage, p.TotalPages = all[from:min(from+50, len(all))], 50, 2
		}, 2},
		"no order of ours": {func(_ int, p *order.Page, _ []order.Order) {
			p.Orders = []order.Order{{ID: "x", Status: "closed", OrderedAt: placedAt.Add(time.Hour)}}
		}, 100},
		"a status that nobody knows": {func(page int, p *order.Page, _ []order.Order) {
			if page == 1 {
				p.Orders[0].Status = "proofing"
			}
		}, 5 + 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := serviceOf(100)
			s.orders = known(100)
			s.lie = func(page int, p *order.Page) { test.lie(page, p, known(100)) }
			n := following(s, upTo(100)...)
			tick := replicas(t, s, n.parts())
			for range 2 {
				require.NoError(t, tick())
			}
			s.asked()
			require.NoError(t, tick())
			require.LessOrEqual(t, len(s.asked()), test.calls)
		})
	}
}
