package order_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/order"
)

var november = order.Month{Year: 2026, Month: time.November, Zone: time.UTC}

// drawRows returns random orders of November.
func drawRows(t *rapid.T) []order.ReportRow {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) order.ReportRow {
		placed := november.Begins().Add(time.Duration(rapid.Int64Range(0, int64(30*24*time.Hour)-1).Draw(t, "placed")))
		later := func(name string) time.Time {
			if rapid.Bool().Draw(t, "no "+name) {
				return time.Time{}
			}
			return placed.Add(time.Duration(rapid.IntRange(-5, 300).Draw(t, name)) * time.Hour)
		}
		r := order.ReportRow{
			Inspected: order.Inspected{Photos: rapid.IntRange(0, 50).Draw(t, "inspected"), Faulty: rapid.IntRange(0, 50).Draw(t, "faulty")},
			Channel:   rapid.SampledFrom([]string{"", "C1", "C2"}).Draw(t, "channel"), Person: rapid.SampledFrom([]string{"", "U1", "U2", "U3"}).Draw(t, "person"),
			Customer: rapid.SampledFrom([]string{"", "7", "8"}).Draw(t, "customer"), Preset: rapid.SampledFrom([]string{"", "Beach", "BEACH", "Attic"}).Draw(t, "preset"), RoundsUnknown: rapid.Bool().Draw(t, "no rounds"), Images: rapid.IntRange(0, 50).Draw(t, "images"), Rounds: rapid.IntRange(0, 4).Draw(t, "rounds"),
			Status: rapid.SampledFrom([]order.Status{order.StatusEditing, order.StatusReviewing, order.StatusClosed, order.StatusCanceled, "archiving"}).Draw(t, "status"),
			Placed: placed, Milestones: order.Milestones{Promised: later("promised"), Ready: later("ready"), Ended: later("ended"), Changes: later("changes")},
		}
		if rapid.Bool().Draw(t, "priced") {
			r.Price = decimal.NewNullDecimal(decimal.New(rapid.Int64Range(0, 1_000_000).Draw(t, "price"), -2))
		}
		return r
	}), 0, 40).Draw(t, "rows")
}

// added returns the sums that must equal the figures of the whole.
func added(parts []order.Figures) order.Figures {
	var sum order.Figures
	for _, f := range parts {
		sum.Orders, sum.Canceled, sum.Images, sum.Rounds = sum.Orders+f.Orders, sum.Canceled+f.Canceled, sum.Images+f.Images, sum.Rounds+f.Rounds
		sum.Unpriced, sum.OnTime, sum.Late = sum.Unpriced+f.Unpriced, sum.OnTime+f.OnTime, sum.Late+f.Late
		sum.Credits, sum.Returned = sum.Credits.Add(f.Credits), sum.Returned.Add(f.Returned)
		sum.Ready.Count, sum.Approved.Count = sum.Ready.Count+f.Ready.Count, sum.Approved.Count+f.Approved.Count
		sum.Approvals, sum.First, sum.Unknown, sum.Decided.Count = sum.Approvals+f.Approvals, sum.First+f.First, sum.Unknown+f.Unknown, sum.Decided.Count+f.Decided.Count
		sum.Inspected = sum.Inspected.Plus(f.Inspected)
		sum.Decided.Slowest = max(sum.Decided.Slowest, f.Decided.Slowest)
		sum.Ready.Slowest, sum.Approved.Slowest = max(sum.Ready.Slowest, f.Ready.Slowest), max(sum.Approved.Slowest, f.Approved.Slowest)
	}
	return sum
}

func TestTheGroupsOfAReportAreItsTotal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		by := rapid.SampledFrom([]order.ReportBy{order.ByPerson, order.ByChannel, order.ByCustomer, order.ByPreset, order.ByRound}).Draw(t, "by")
		now := november.Ends()
		r := order.NewReport(rows, november, by, now)
		var groups []order.Figures
		names := map[string]bool{}
		for i, g := range r.Groups {
			if name := strings.ToLower(g.Name); names[name] || g.Orders == 0 || i > 0 && g.Orders > r.Groups[i-1].Orders {
				t.Fatalf("group %d of %v", i, r.Groups)
			}
			names[strings.ToLower(g.Name)] = true
			groups = append(groups, g.Figures)
			if g.Ready.Median > g.Ready.Slowest || g.Approved.Median > g.Approved.Slowest || g.Decided.Median > g.Decided.Slowest {
				t.Fatalf("a median above the slowest: %+v", g)
			}
		}
		for what, parts := range map[string][]order.Figures{"groups": groups, "days": r.Days} {
			sum, total := added(parts), r.Total
			total.Ready.Median, total.Approved.Median, total.Decided.Median, total.MedianRound = 0, 0, 0, 0
			if !sum.Credits.Equal(total.Credits) || !sum.Returned.Equal(total.Returned) {
				t.Fatalf("%s: credits %v and %v of %v and %v", what, sum.Credits, sum.Returned, total.Credits, total.Returned)
			}
			sum.Credits, sum.Returned, total.Credits, total.Returned = decimal.Zero, decimal.Zero, decimal.Zero, decimal.Zero
			if fmt.Sprint(sum) != fmt.Sprint(total) {
				t.Fatalf("%s: %+v of %+v", what, sum, total)
			}
		}
		if r.Total.Orders != len(rows) || len(r.Days) != 30 {
			t.Fatalf("%d orders of %d in %d days", r.Total.Orders, len(rows), len(r.Days))
		}
	})
}

func TestWhatAReportSaysOfAMonth(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)
	price := func(s string) decimal.NullDecimal { return decimal.NewNullDecimal(decimal.RequireFromString(s)) }
	promised := at.Add(4 * time.Hour)
	rows := []order.ReportRow{
		{Status: order.StatusClosed, Images: 2, Price: price("0.1"), Placed: at, Rounds: 2, Milestones: order.Milestones{Promised: promised, Ready: at.Add(2 * time.Hour), Ended: at.Add(10 * time.Hour)}},
		{Status: order.StatusReviewing, Images: 3, Price: price("0.2"), Placed: at, Milestones: order.Milestones{Promised: promised, Ready: at.Add(6 * time.Hour)}},
		{Status: order.StatusEditing, Images: 4, Placed: at, Milestones: order.Milestones{Promised: promised}},
		{Status: order.StatusCanceled, Images: 5, Price: price("7"), Placed: at, Milestones: order.Milestones{Promised: promised, Ended: at.Add(time.Minute)}},
	}
	f := order.NewReport(rows, november, "", at.Add(5*time.Hour)).Total
	require.Equal(t, "0.3", f.Credits.String(), "exactly")
	require.Equal(t, "7", f.Returned.String())
	f.Credits, f.Returned = decimal.Zero, decimal.Zero
	require.Equal(t, order.Figures{
		Orders: 4, Canceled: 1, Images: 9, Unpriced: 1, Rounds: 2, OnTime: 1, Late: 2,
		Ready: order.Spread{Count: 2, Median: 4 * time.Hour, Slowest: 6 * time.Hour}, Approved: order.Spread{Count: 1, Median: 10 * time.Hour, Slowest: 10 * time.Hour},
		Reviews: order.Reviews{Approvals: 1, MedianRound: 3, Unknown: 1}, // of the request for changes only the number is known
	}, f)
}

// The chart's first bar is the first day where the reader is.
func TestADayOfAReportIsOneOfItsZone(t *testing.T) {
	t.Parallel()
	kiritimati := order.Month{Year: 2026, Month: time.November, Zone: zone(t, "Pacific/Kiritimati")}
	r := order.NewReport([]order.ReportRow{{Placed: time.Date(2026, 10, 31, 12, 0, 0, 0, time.UTC)}, {}}, kiritimati, "", placed)
	require.Equal(t, 1, r.Days[0].Orders)
	require.Equal(t, 0, r.Days[30-1].Orders, "an order without a time is on no day")
	require.Equal(t, 2, r.Total.Orders)
}

// Of groups with as many orders the one that cost more is first, then the name decides.
func TestGroupsAreInOneOrder(t *testing.T) {
	t.Parallel()
	row := func(person, credits string) order.ReportRow {
		return order.ReportRow{Person: person, Price: decimal.NewNullDecimal(decimal.RequireFromString(credits))}
	}
	rows := []order.ReportRow{row("U1", "1"), row("U2", "3"), row("U4", "2"), row("U3", "2"), row("U5", "0"), row("U5", "0")}
	var names []string
	for _, g := range order.NewReport(rows, november, order.ByPerson, placed).Groups {
		names = append(names, g.Name)
	}
	require.Equal(t, []string{"U5", "U2", "U3", "U4", "U1"}, names)
}

func TestADeliveryAtItsEstimateIsOnTime(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		row  order.ReportRow
		want order.Punctuality
	}{
		"at the estimate":            {order.ReportRow{Milestones: order.Milestones{Promised: placed, Ready: placed}}, order.OnTime},
		"a second later":             {order.ReportRow{Milestones: order.Milestones{Promised: placed, Ready: placed.Add(time.Second)}}, order.Late},
		"due now":                    {order.ReportRow{Milestones: order.Milestones{Promised: placed}}, order.Untimed},
		"due a second ago":           {order.ReportRow{Milestones: order.Milestones{Promised: placed.Add(-time.Second)}}, order.Late},
		"due, and canceled before":   {order.ReportRow{Status: order.StatusCanceled, Milestones: order.Milestones{Promised: placed.Add(-time.Second)}}, order.Untimed},
		"delivered without estimate": {order.ReportRow{Milestones: order.Milestones{Ready: placed}}, order.Untimed},
	}
	for name, row := range tests {
		require.Equal(t, row.want, row.row.Punctual(placed), name)
	}
}

func TestMilestonesAreThoseOfTheFirstDeliveryAndTheEnd(t *testing.T) {
	t.Parallel()
	known := order.Known{Order: order.Order{Status: order.StatusEditing}, Milestones: order.Milestones{Promised: time.Unix(100, 0).UTC()}}
	see := func(at int64, o order.Order) {
		known, _, _ = order.Observe(known, o, nil, time.Unix(at, 999))
	}
	see(200, order.Order{Status: order.StatusReviewing, Revision: new(int)})
	one := 1
	see(300, order.Order{Status: order.StatusRevising, Revision: &one, EstimatedDelivery: time.Unix(999, 0)})
	see(400, order.Order{Status: order.StatusReviewing, Revision: &one})
	require.False(t, known.Milestones.Lack(known.Order))
	see(500, order.Order{Status: order.StatusClosed, Revision: &one})
	require.Equal(t, order.Milestones{
		Promised: time.Unix(100, 0).UTC(), Ready: time.Unix(200, 0).UTC(), Changes: time.Unix(300, 0).UTC(), Ended: time.Unix(500, 0).UTC(),
	}, known.Milestones)
}
