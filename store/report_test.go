package store_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/retention"
	"darkroom/store/storetest"
)

var reportedMonth = order.Month{Year: 2026, Month: time.November, Zone: time.UTC}

func reports(t *testing.T, s *store.Store, channels ...string) []order.ReportRow {
	t.Helper()
	rows, whole, err := s.Reports.Report(t.Context(), "T1", channels, reportedMonth.Begins(), reportedMonth.Ends())
	require.NoError(t, err)
	require.True(t, whole)
	return rows
}

func placedAt(t *testing.T, s *store.Store, id, channel string, at time.Time) {
	t.Helper()
	_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
		ID: id, Owner: store.Owner{Team: "T1", Channel: channel, Requester: "UMARIA"}, Images: 3,
		Order: order.Order{
			Status: order.StatusEditing, OrderedAt: at, EstimatedDelivery: at.Add(time.Hour), Price: decimal.NewNullDecimal(decimal.RequireFromString("2.5")),
			CustomerID: "77", Revision: new(int),
		},
	})
	require.NoError(t, err)
}

func TestAReportHasTheOrdersOfAMonthAndOfItsChannels(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		begins, ends := reportedMonth.Begins(), reportedMonth.Ends()
		placedAt(t, s, "before", "C1", begins.Add(-time.Millisecond))
		placedAt(t, s, "first", "C1", begins)
		placedAt(t, s, "last", "C1", ends.Add(-time.Millisecond))
		placedAt(t, s, "after", "C1", ends)
		placedAt(t, s, "other", "C2", begins.Add(time.Hour))
		placedAt(t, s, "moved", "C1", begins.Add(2*time.Hour))
		_, err := s.Changes.Move(t.Context(), "moved", "C2", "UBEN")
		require.NoError(t, err)
		found := func(channels ...string) (all []string) {
			for _, r := range reports(t, s, channels...) {
				all = append(all, r.ID)
			}
			return all
		}
		require.Equal(t, []string{"last", "first"}, found("C1"))
		require.Equal(t, []string{"moved", "other"}, found("C2"))
		require.Equal(t, []string{"last", "moved", "other", "first"}, found("C1", "C2"))
		require.Empty(t, found())
	})
}

// An order that moves while a report reads it is not counted for the channel that it left.
func TestAReportLeavesOutOrdersThatHaveMovedOut(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		at := reportedMonth.Begins()
		placedAt(t, s, "here", "C1", at)
		placedAt(t, s, "there", "C2", at)
		placedAt(t, s, "elsewhere", "C1", at)
		require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:order:elsewhere", "team", "T2").Err())
		require.NoError(t, rdb.ZAdd(t.Context(), "{darkroom}:channel:T1:C1", redis.Z{Score: float64(at.UnixMilli()), Member: "there"}).Err())
		rows := reports(t, s, "C1")
		require.Len(t, rows, 1)
		require.Equal(t, "here", rows[0].ID)
	})
}

// A month with more orders than a report counts is not whole, and the report says so.
func TestAReportThatIsCutSaysSo(t *testing.T) {
	t.Parallel()
	rdb := storetest.Start(t).Client()
	s := newStore(rdb)
	at := float64(reportedMonth.Begins().UnixMilli())
	all := make([]redis.Z, store.MaxReport+1)
	for i := range all {
		all[i] = redis.Z{Score: at, Member: fmt.Sprint(i)}
	}
	report := func() (whole bool) {
		_, whole, err := s.Reports.Report(t.Context(), "T1", []string{"C1"}, reportedMonth.Begins(), reportedMonth.Ends())
		require.NoError(t, err)
		return whole
	}
	require.NoError(t, rdb.ZAdd(t.Context(), "{darkroom}:channel:T1:C1", all[1:]...).Err())
	require.True(t, report())
	require.NoError(t, rdb.ZAdd(t.Context(), "{darkroom}:channel:T1:C1", all[0]).Err())
	require.False(t, report())
}

// What a report counts is kept when an order shrinks, and is found of one that was recorded by a version
// that kept none of it.
func TestAReportReadsTheSameOfWhatHasShrunkAndWhatIsOld(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		at := reportedMonth.Begins().Add(time.Hour)
		for _, id := range []string{"1", "2"} {
			placedAt(t, s, id, "C1", at)
			record(t, s, id, delivered(0, "a"))
			record(t, s, id, anOrder(order.StatusRevising, 1))
			record(t, s, id, delivered(1, "b"))
			record(t, s, id, anOrder(order.StatusClosed, 1))
		}
		for round, found := range []order.Inspected{{Photos: 40, Faulty: 3}, {Photos: 20}} {
			require.NoError(t, s.Announcements.CountInspection(t.Context(), "2", 1, round+1, found))
		}
		before := reports(t, s, "C1")
		require.Len(t, before, 2)
		now := before[0]
		require.Equal(t, []order.Inspected{{Photos: 60, Faulty: 3}, {}}, []order.Inspected{now.Inspected, before[1].Inspected})
		require.Equal(t, at.Add(time.Hour), now.Promised)
		require.WithinDuration(t, time.Now(), now.Ready, time.Minute)
		require.WithinDuration(t, time.Now(), now.Ended, time.Minute)
		require.Equal(t, 1, now.Rounds)
		require.WithinDuration(t, time.Now(), now.Changes, time.Minute)
		require.Equal(t, "2.5", now.Price.Decimal.String())
		require.NoError(t, rdb.HDel(t.Context(), "{darkroom}:order:1", "milestones").Err())
		require.Equal(t, before, reports(t, s, "C1"), "from its events")
		for _, id := range []string{"1", "2"} {
			announced(t, s, id)
		}
		applyRetention(t, s, atOnce)
		shrunk, err := s.Orders.Order(t.Context(), "2")
		require.NoError(t, err)
		require.True(t, shrunk.Shrunk)
		require.Equal(t, now.Milestones, shrunk.Milestones, "kept, not read from events")
		old := before[1] // order 1: what the service estimated went with its first event
		old.Promised = time.Time{}
		require.Equal(t, []order.ReportRow{before[0], old}, reports(t, s, "C1"))
	})
}

// The preset of an order is in the report as long as the order is, whatever happens to the order.
func TestAReportKnowsThePresetOfAnOrder(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		at := reportedMonth.Begins().Add(time.Hour)
		for id, preset := range map[string]string{"1": "Beach <&> *house*", "2": ""} {
			_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
				ID: id, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "UMARIA"}, Brief: &order.Brief{By: "UMARIA", Instructions: []string{"Mine."}, Preset: preset},
				Order: order.Order{Status: order.StatusEditing, OrderedAt: at},
			})
			require.NoError(t, err)
		}
		check := func(step, channel string, unknown bool) {
			t.Helper()
			told := map[string]string{}
			for _, r := range reports(t, s, channel) {
				told[r.ID] = r.Preset
				require.Equal(t, unknown, r.RoundsUnknown, step)
			}
			require.Equal(t, map[string]string{"1": "Beach <&> *house*", "2": ""}, told, step)
		}
		check("placed", "C1", true)
		for _, id := range []string{"1", "2"} {
			record(t, s, id, delivered(0, "a"))
		}
		check("delivered", "C1", false)
		_, err := retention.NewPeople(s).Forget(t.Context(), "UMARIA", false)
		require.NoError(t, err)
		check("its requester is forgotten", "C1", false)
		for _, id := range []string{"1", "2"} {
			_, err := s.Changes.Move(t.Context(), id, "C2", "UBEN")
			require.NoError(t, err)
			record(t, s, id, anOrder(order.StatusClosed, 0))
			announced(t, s, id)
		}
		check("closed and moved", "C2", false)
		applyRetention(t, s, atOnce)
		require.Equal(t, "1", rdb.HGet(t.Context(), "{darkroom}:order:1", "shrunk").Val())
		check("shrunk", "C2", false)
		for _, id := range []string{"1", "2"} {
			record(t, s, id, delivered(1, "b"))
		}
		check("it goes on", "C2", false)
		require.NoError(t, rdb.HDel(t.Context(), "{darkroom}:order:1", "brief").Err())
		check("without a summary", "C2", false)
	})
}

// An inspection is repeated when its job is, and after an order moved. A later delivery of the same round does not count.
func TestEachRoundOfAnOrderIsInspectedOnce(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		placedAt(t, s, "1", "C1", reportedMonth.Begins())
		counts := func(generation, round int, found order.Inspected) order.Inspected {
			t.Helper()
			require.NoError(t, s.Announcements.CountInspection(t.Context(), "1", generation, round, found))
			full, err := s.Orders.Order(t.Context(), "1")
			require.NoError(t, err)
			require.Equal(t, full.Inspected, reports(t, s, full.Owner.Channel)[0].Inspected, "the list and the order agree")
			return full.Inspected
		}
		require.Zero(t, counts(1, 1, order.Inspected{}), "nothing was read")
		first := order.Inspected{Photos: 12, Faulty: 2}
		require.Equal(t, first, counts(1, 1, first))
		require.Equal(t, first, counts(1, 1, order.Inspected{Photos: 5, Faulty: 5}))
		_, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)
		require.Equal(t, first, counts(2, 1, first))
		require.ErrorIs(t, s.Announcements.CountInspection(t.Context(), "1", 1, 2, first), store.ErrMoved)
		both := order.Inspected{Photos: 22, Faulty: 2}
		require.Equal(t, both, counts(2, 2, order.Inspected{Photos: 10}))
		require.Equal(t, both, counts(2, 1, first), "an earlier round comes too late")
		require.Equal(t, order.Inspected{Photos: 23, Faulty: 3}, counts(2, 10, order.Inspected{Photos: 1, Faulty: 1}))
		for _, malformed := range []string{"", "2", "2 x 1", "2 1 x", "1 2 3 4"} {
			require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:order:1", "inspected", malformed).Err())
			require.Zero(t, reports(t, s, "C2")[0].Inspected, malformed)
		}
		require.Equal(t, first, counts(2, 1, first))
	})
}

// roundTrips counts them.
type roundTrips struct{ trips, commands atomic.Int64 }

func (c *roundTrips) DialHook(next redis.DialHook) redis.DialHook { return next }

func (c *roundTrips) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		c.trips.Add(1)
		c.commands.Add(1)
		return next(ctx, cmd)
	}
}

func (c *roundTrips) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		c.trips.Add(1)
		c.commands.Add(int64(len(cmds)))
		return next(ctx, cmds)
	}
}

// A month of 5,000 orders, half of them shrunk, is read in 31 round trips: one for the
// index, and in ten batches of 500 the summaries, and
// then the hashes and the snapshots of those that have none. How long that takes is logged: it is the machine's.
func TestAMonthOfFiveThousandOrdersIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	const orders = 5000
	rdb := storetest.Start(t).Client()
	s := newStore(rdb)
	seedMonth(t, s, rdb, orders)
	count := &roundTrips{}
	rdb.AddHook(count)
	began := time.Now()
	rows := reports(t, s, "C1")
	report := order.NewReport(rows, reportedMonth, order.ByPerson, time.Now())
	took := time.Since(began)
	t.Logf("%d orders in %v, %d commands in %d round trips", report.Total.Orders, took, count.commands.Load(), count.trips.Load())
	require.Equal(t, orders, report.Total.Orders)
	require.Equal(t, "12500", report.Total.Credits.String())
	require.Equal(t, int64(1+3*orders/500), count.trips.Load())
	require.LessOrEqual(t, count.commands.Load(), int64(1+2*orders))
}

// seedMonth writes so many closed orders as the store has them: it copies one that has been through its
// course, and one that has shrunk.
func seedMonth(t *testing.T, s *store.Store, rdb redis.UniversalClient, orders int) {
	t.Helper()
	at := reportedMonth.Begins()
	for _, id := range []string{"full", "shrunk"} {
		placedAt(t, s, id, "CSEED", at)
		record(t, s, id, delivered(0, "a", "b"))
		record(t, s, id, anOrder(order.StatusClosed, 0))
		announced(t, s, id)
		if id == "full" {
			continue
		}
		require.NoError(t, rdb.ZRem(t.Context(), "{darkroom}:finished", "full").Err())
		applyRetention(t, s, atOnce)
	}
	full, err := rdb.HGetAll(t.Context(), "{darkroom}:order:full").Result()
	require.NoError(t, err)
	shrunk, err := rdb.HGetAll(t.Context(), "{darkroom}:order:shrunk").Result()
	require.NoError(t, err)
	require.Equal(t, "1", shrunk["shrunk"])
	snapshot, err := rdb.Get(t.Context(), "{darkroom}:snapshot:shrunk").Result()
	require.NoError(t, err)
	full["channel"], shrunk["channel"] = "C1", "C1"
	for first := range orders / 100 {
		seedSome(t, rdb, first*100, at, full, shrunk, snapshot)
	}
}

func seedSome(t *testing.T, rdb redis.UniversalClient, first int, at time.Time, full, shrunk map[string]string, snapshot string) {
	t.Helper()
	_, err := rdb.Pipelined(t.Context(), func(p redis.Pipeliner) error {
		for i := first; i < first+100; i++ {
			id := fmt.Sprint("o", i)
			p.ZAdd(t.Context(), "{darkroom}:channel:T1:C1", redis.Z{Score: float64(at.Add(time.Duration(i) * time.Minute).UnixMilli()), Member: id})
			if i%2 == 0 {
				p.HSet(t.Context(), "{darkroom}:order:"+id, full)
				continue
			}
			p.HSet(t.Context(), "{darkroom}:order:"+id, shrunk)
			p.Set(t.Context(), "{darkroom}:snapshot:"+id, snapshot, 0)
		}
		return nil
	})
	require.NoError(t, err)
}

// A service that makes a number of a customer's ID makes one of 007 and 7: what was typed tells them apart.
func TestAReportAndAListKnowACustomerAsTyped(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		for id, typed := range map[string]string{"1": "007", "2": "7"} {
			_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
				ID: id, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "UMARIA"}, Images: 1, Brief: &order.Brief{CustomerID: typed},
				Order: order.Order{Status: order.StatusEditing, OrderedAt: reportedMonth.Begins().Add(time.Hour), CustomerID: "7", Revision: new(int)},
			})
			require.NoError(t, err)
		}
		told := func() map[string]string {
			all := map[string]string{}
			for _, r := range reports(t, s, "C1") {
				all[r.ID] = r.Customer
			}
			return all
		}
		want := map[string]string{"1": "007", "2": "7"}
		require.Equal(t, want, told())
		seen := anOrder(order.StatusClosed, 0)
		seen.CustomerID = "7"
		record(t, s, "1", seen)
		require.Equal(t, want, told(), "after the service told of it")
		listed := 0
		_, total, err := s.Orders.InChannels(t.Context(), "T1", []string{"C1"}, func(in store.Tracked) bool {
			listed++
			return in.CustomerID() == "007"
		}, 0, 10)
		require.NoError(t, err)
		require.Equal(t, 1, total, "of %d", listed)
	})
}

// Prices that a service has as binary fractions add up to what people would count.
func TestAReportCountsCreditsWithoutNoise(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		for i := range 10 {
			_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
				ID: fmt.Sprint(i), Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "UMARIA"}, Images: 1,
				Order: order.Order{
					Status: order.StatusEditing, OrderedAt: reportedMonth.Begins().Add(time.Hour), Revision: new(int),
					Price: decimal.NewNullDecimal(decimal.RequireFromString("2.0299999999999998")), // as an earlier version kept it
				},
			})
			require.NoError(t, err)
		}
		total := order.NewReport(reports(t, s, "C1"), reportedMonth, "", reportedMonth.Ends()).Total
		require.Equal(t, "20.3", total.Credits.String())
	})
}
