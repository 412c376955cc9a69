package poll_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	cardsops "darkroom/cards/ops"
	"darkroom/notifier/poll"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// fakeAccount is an account with a balance.
type fakeAccount struct {
	left  decimal.Decimal
	fails error
	asked int
}

func (p *fakeAccount) balance(context.Context) (decimal.Decimal, error) {
	p.asked++
	return p.left, p.fails
}

// creditPoller is a poller that watches a balance, over several replicas, with a threshold of fifty credits.
type creditPoller struct {
	*fakeAccount
	t     *testing.T
	notes *memoryStore
	ops   *opsChannel
	seen  []string
	watch *poll.CreditWatch
	p     *poll.Poller
}

func newTill(t *testing.T, below string) *creditPoller {
	t.Helper()
	w := &creditPoller{fakeAccount: &fakeAccount{}, t: t, ops: &opsChannel{}}
	s := serviceOf(1)
	w.notes = following(s, 0)
	w.replica(below, s)
	return w
}

// replica replaces the poller by another replica, or the same one after a restart.
func (w *creditPoller) replica(below string, s *fakeService) {
	w.t.Helper()
	w.watch = poll.NewCreditWatch(poll.CreditWatchConfig{
		Below: decimal.RequireFromString(below), Balance: w.balance, Store: w.notes,
		Seen: func(left decimal.Decimal) { w.seen = append(w.seen, left.String()) },
	})
	w.p = newPoller(w.t, poll.Config{Service: s, Store: w.notes.parts(), Ops: w.ops.hear, Credits: w.watch})
}

// has sets the account's balance and lets the poller check it when due.
func (w *creditPoller) has(left string) {
	w.t.Helper()
	w.left = decimal.RequireFromString(left)
	after(10 * time.Minute)
	require.NoError(w.t, w.p.Poll(w.t.Context()))
}

func says(left, below, well string) string {
	return cardsops.CreditsLow(decimal.RequireFromString(left), decimal.RequireFromString(below), decimal.RequireFromString(well))
}

func TestLowCreditsAreSaidOnceAndThatTheyAreWellOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTill(t, "50")
		for _, left := range []string{"120", "50", "49.999", "12", "3.5"} {
			w.has(left)
			w.replica("50", serviceOf(1)) // over restarts, and whichever replica polls
		}
		low := says("49.999", "50", "55")
		require.Equal(t, []string{low}, w.ops.said)
		w.has("50") // a canceled order's credits came back: nothing to tell
		w.has("49")
		w.has("54.99")
		require.Equal(t, []string{low}, w.ops.said, "ordering and canceling around the line is no news")
		w.has("55")
		w.has("200")
		require.Equal(t, []string{low, cardsops.CreditsWell(decimal.NewFromInt(55))}, w.ops.said)
		w.has("-1")
		require.Equal(t, says("-1", "50", "55"), w.ops.said[2])
	})
}

func TestTheWordsOfLowCreditsNameAmountsAndWhatToDo(t *testing.T) {
	t.Parallel()
	low := says("4.10", "5.5", "6.05")
	for _, words := range []string{"*4.1 credits* left", "fewer than 5.5", "Buy credits", "6.05 or more", "`LOW_CREDITS`"} {
		require.Contains(t, low, words)
	}
	require.Contains(t, cardsops.CreditsWell(decimal.NewFromInt(1)), "*1 credit* again")
	require.Less(t, len(cardsops.CreditsLow(decimal.New(1, 1_000_000), decimal.New(1, 1), decimal.New(1, 1))), 500, "a figure that is absurd stays short")
}

func TestWhoCannotBeToldOfLowCreditsIsToldLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTill(t, "50")
		w.left, w.ops.deaf = decimal.NewFromInt(1), true
		require.Error(t, w.p.Poll(t.Context()))
		w.ops.deaf = false
		w.has("1")
		require.Equal(t, []string{says("1", "50", "55")}, w.ops.said)
	})
}

// Reading the balance costs a request, so it is read seldom, and only with a threshold.
func TestHowOftenTheBalanceIsAskedFor(t *testing.T) {
	t.Parallel()
	ticks := func(t *testing.T, w *creditPoller, lasting time.Duration) int {
		t.Helper()
		w.asked = 0
		for end := time.Now().Add(lasting); time.Now().Before(end); after(30 * time.Second) {
			require.NoError(t, w.p.Poll(t.Context()))
		}
		return w.asked
	}
	synctest.Test(t, func(t *testing.T) {
		w := newTill(t, "50")
		w.left = decimal.NewFromInt(100)
		require.Equal(t, 6, ticks(t, w, time.Hour))
		require.Zero(t, w.notes.noted, "a quiet tick writes nothing")

		w.fails = order.ErrUnavailable
		require.LessOrEqual(t, ticks(t, w, time.Hour), 60, "a service that is away is asked once a minute")
		require.Empty(t, w.ops.said)

		off := newTill(t, "0")
		off.watch.Observe(t.Context(), decimal.NewFromInt(1))
		require.Zero(t, ticks(t, off, time.Hour))
		require.Equal(t, []string{"1"}, off.seen, "who counts hears of it all the same")
		require.Zero(t, off.notes.noted)
	})
}

// A balance that any replica reads makes the next poll check it.
func TestABalanceThatSomebodyReadIsHeeded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTill(t, "50")
		w.has("100")
		other := poll.NewCreditWatch(poll.CreditWatchConfig{Below: decimal.NewFromInt(50), Balance: w.balance, Store: w.notes})
		other.Observe(t.Context(), decimal.NewFromInt(100))
		after(time.Second)
		w.left = decimal.NewFromInt(20)
		other.Observe(t.Context(), w.left)
		after(time.Second)
		require.NoError(t, w.p.Poll(t.Context()))
		require.Equal(t, []string{says("20", "50", "55")}, w.ops.said, "long before the ten minutes are over")
		asked, noted := w.asked, w.notes.noted
		for range 5 {
			other.Observe(t.Context(), decimal.NewFromInt(19))
			after(time.Second)
			require.NoError(t, w.p.Poll(t.Context()))
		}
		require.Equal(t, asked, w.asked, "what is known is not asked for again")
		require.Equal(t, noted, w.notes.noted)
	})
}

// Replicas share the note in Redis, so only one of them reacts to a crossed threshold.
func TestLowCreditsAreRememberedInRedis(t *testing.T) {
	t.Parallel()
	rdb := storetest.Client(t)
	record := store.New(rdb, queue.New(rdb, queue.Options{}))
	ops := &opsChannel{}
	left := decimal.NewFromInt(10)
	for range 3 {
		watch := poll.NewCreditWatch(poll.CreditWatchConfig{
			Below: decimal.NewFromInt(50), Store: record.Documents,
			Balance: func(context.Context) (decimal.Decimal, error) { return left, nil },
		})
		p := newPoller(t, poll.Config{Service: serviceOf(1), Store: poll.StoreOf(record), Ops: ops.hear, Credits: watch})
		require.NoError(t, p.Poll(t.Context()))
	}
	require.Len(t, slices.DeleteFunc(ops.said, func(s string) bool { return !strings.Contains(s, "LOW_CREDITS") }), 1)
}
