package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// spendingDraft is an order of Maria's for so many basic images.
func spendingDraft(reference string, images int) store.Draft {
	d := store.Draft{ID: "d" + reference, Team: "T1", User: "UMARIA", Channel: "C1", Reference: reference, Service: order.ServiceBasic}
	for i := range images {
		d.URLs = append(d.URLs, fmt.Sprintf("https://e.com/%d.jpg", i))
	}
	return d
}

// paidOrder is the order of such a draft; credits 0 is a price that is not known.
func paidOrder(t *testing.T, s *store.Store, d store.Draft, credits int64, at time.Time) store.Tracked {
	t.Helper()
	o := order.Order{Status: order.StatusEditing, OrderedAt: at}
	if credits > 0 {
		o.Price = decimal.NewNullDecimal(decimal.NewFromInt(credits))
	}
	now, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
		ID: "id" + d.Reference, Reference: d.Reference, Brief: d.Brief(), Order: o, SpentIn: d.SpentIn, Attempts: []int{d.Attempt},
		Owner: store.Owner{Team: d.Team, Channel: d.Channel, Requester: d.User},
	})
	require.NoError(t, err)
	return now
}

func spentIn(t *testing.T, s *store.Store, channel string, at time.Time) string {
	t.Helper()
	l, err := s.Ledgers.Ledger(t.Context(), "T1", at, "")
	require.NoError(t, err)
	return l.Spent(channel).String()
}

func reserve(t *testing.T, s *store.Store, d store.Draft, at time.Time) {
	t.Helper()
	require.NoError(t, s.Ledgers.Reserve(t.Context(), d, at, func(order.Ledger) bool { return true }))
}

// An order counts once from before it is sent, and as what it is known to cost by then.
func TestAnOrderCountsOnceFromBeforeItIsSent(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		now := time.Now()
		d := spendingDraft("REF1", 3)
		d.SpentIn = store.SpendingMonth(now)
		for range 2 { // a delivery that comes again
			reserve(t, s, d, now)
			require.Equal(t, "3", spentIn(t, s, "C1", now))
		}
		seen := -1
		require.NoError(t, s.Ledgers.Reserve(t.Context(), d, now, func(l order.Ledger) bool { seen = len(l.Month); return false }))
		require.Zero(t, seen, "it is not weighed with itself")

		placed := paidOrder(t, s, d, 0, now.AddDate(0, -1, 0)) // by the service's clock
		require.Equal(t, "3", spentIn(t, s, "C1", now), "where it was counted")
		l, err := s.Ledgers.Ledger(t.Context(), "T1", now, "")
		require.NoError(t, err)
		require.Equal(t, []order.Spending{{Channel: "C1", Images: map[order.ServiceType]int{order.ServiceBasic: 3}}}, l.Month)
		record(t, s, placed.ID, order.Order{Price: decimal.NewNullDecimal(decimal.NewFromInt(7))})
		require.Equal(t, "7", spentIn(t, s, "C1", now))
		require.Equal(t, "7", spentIn(t, s, "", now))
		record(t, s, placed.ID, order.Order{Status: order.StatusCanceled})
		require.Equal(t, "0", spentIn(t, s, "C1", now))

		refused := spendingDraft("REF2", 5)
		refused.SpentIn = d.SpentIn
		reserve(t, s, refused, now)
		require.Equal(t, "5", spentIn(t, s, "C1", now))
		require.NoError(t, s.Ledgers.Unreserve(t.Context(), refused))
		require.Equal(t, "0", spentIn(t, s, "C1", now))
		require.NoError(t, s.Ledgers.Unreserve(t.Context(), store.Draft{ID: "never"}))
		life := rdb.TTL(t.Context(), "{darkroom}:spending:T1:"+d.SpentIn).Val()
		require.Greater(t, life, 90*24*time.Hour)
		require.LessOrEqual(t, life, 125*24*time.Hour)
	})
}

// moments runs a function after each command.
type moments struct {
	look    func()
	looking bool
}

func (m *moments) DialHook(next redis.DialHook) redis.DialHook { return next }

func (m *moments) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (m *moments) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if !m.looking {
			m.looking = true
			m.look()
			m.looking = false
		}
		return err
	}
}

// While an order takes the place of its reservation, others are weighed with it: it counts once at each moment.
func TestAnOrderCountsOnceWhileItIsAdded(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		now, looks := time.Now(), 0
		d := spendingDraft("REF1", 3)
		d.SpentIn = store.SpendingMonth(now)
		reserve(t, s, d, now)
		rdb.AddHook(&moments{look: func() {
			looks++
			require.Equal(t, "3", spentIn(t, s, "C1", now))
		}})
		paidOrder(t, s, d, 3, now)
		require.Positive(t, looks)
	})
}

// Two attempts of a draft may both be orders: each counts, and one that is canceled takes nothing from the other.
func TestEachAttemptCountsByItself(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		now := time.Now()
		d := spendingDraft("REF1", 3)
		d.SpentIn = store.SpendingMonth(now)
		for d.Attempt = 1; d.Attempt <= 2; d.Attempt++ {
			reserve(t, s, d, now)
		}
		require.Equal(t, "6", spentIn(t, s, "C1", now), "both may be out")
		for n, id := range []string{"first", "second"} {
			_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
				ID: id, Reference: d.Reference, Brief: d.Brief(), SpentIn: d.SpentIn, Attempts: []int{n + 1}, Owner: store.Owner{Team: d.Team, Channel: d.Channel, Requester: d.User},
				Order: order.Order{Status: order.StatusEditing, OrderedAt: now, Price: decimal.NewNullDecimal(decimal.NewFromInt(10))},
			})
			require.NoError(t, err)
		}
		require.Equal(t, "20", spentIn(t, s, "C1", now))
		record(t, s, "second", order.Order{Status: order.StatusCanceled})
		require.Equal(t, "10", spentIn(t, s, "C1", now))
		_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{ID: "third", SpentIn: d.SpentIn, Owner: store.Owner{Team: d.Team, Channel: d.Channel, Requester: d.User}})
		require.NoError(t, err, "nothing is reserved for it")
	})
}

// Wherever an order goes, it counts where it was placed.
func TestAnOrderCountsWhereItWasPlaced(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		now := time.Now()
		price := func(id string, credits int64) {
			record(t, s, id, order.Order{Price: decimal.NewNullDecimal(decimal.NewFromInt(credits))})
		}
		id := paidOrder(t, s, spendingDraft("REF1", 3), 4, now).ID
		move(t, s, id, "C2")
		price(id, 5)
		move(t, s, id, "C3")
		for credits := range int64(8) { // a version of two digits
			price(id, 6+credits)
		}
		untrack(t, s, id)
		retrack(t, s, id, anOrder(order.StatusEditing, 0))
		price(id, 8)
		for channel, want := range map[string]string{"C1": "8", "C2": "0", "C3": "0", "": "8"} {
			require.Equal(t, want, spentIn(t, s, channel, now), channel)
		}
		require.NoError(t, rdb.Del(t.Context(), "{darkroom}:order:"+id).Err())
		require.Equal(t, "8", spentIn(t, s, "C1", now), "and if it is nowhere")

		old := paidOrder(t, s, spendingDraft("OLD", 3), 4, now.AddDate(-1, 0, 0)).ID
		price(old, 9)
		require.Equal(t, "8", spentIn(t, s, "", now))
		require.Zero(t, rdb.Exists(t.Context(), "{darkroom}:spending:T1:"+store.SpendingMonth(now.AddDate(-1, 0, 0))).Val(), "nobody asks any more")
	})
}

func TestAMonthAndTheTwoBeforeTellWhatImagesCost(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		now := time.Now()
		for i := range 4 {
			at := order.MonthOf(now, time.UTC).Before(i).Begins()
			paidOrder(t, s, spendingDraft(fmt.Sprint("placed", i), 1), 1, at)
			reserve(t, s, spendingDraft(fmt.Sprint("sent", i), 1), at)
		}
		l, err := s.Ledgers.Ledger(t.Context(), "T1", now, "")
		require.NoError(t, err)
		require.Len(t, l.Month, 2)
		require.Len(t, l.Before, 4)
	})
}

// Of orders that are weighed at the same moment, on any replica, as many go as there is room for.
func TestOrdersOfOneMomentAreCountedOneAfterTheOther(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		now := time.Now()
		var wg sync.WaitGroup
		var mu sync.Mutex
		went := 0
		for i := range 12 {
			wg.Go(func() {
				may := false
				d := spendingDraft(fmt.Sprint("R", i), 1)
				err := s.Ledgers.Reserve(t.Context(), d, now, func(l order.Ledger) bool {
					may = l.Spent("").LessThan(decimal.NewFromInt(5))
					return may
				})
				assert.NoError(t, err)
				mu.Lock()
				defer mu.Unlock()
				if may {
					went++
				}
			})
		}
		wg.Wait()
		require.Equal(t, 5, went)
	})
}

// An order that a channel follows before it is known to be ours counts once.
func TestAnOrderThatWasTrackedBeforeItWasFoundCountsOnce(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		now := time.Now()
		d := spendingDraft("REF1", 3)
		d.SpentIn = store.SpendingMonth(now)
		reserve(t, s, d, now)
		_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
			ID: "idREF1", Adopted: true, Images: 3, Order: order.Order{Status: order.StatusEditing, OrderedAt: now},
			Owner: store.Owner{Team: "T1", Channel: "C2", Requester: "UBEN"},
		})
		require.NoError(t, err)
		paidOrder(t, s, d, 3, now)
		require.Equal(t, "3", spentIn(t, s, "", now))
	})
}
