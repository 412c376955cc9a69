package order_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/order"
)

// placed is when the orders of these tests are placed.
var placed = november.Begins().Add(60 * time.Hour)

// judged is an order delivered after an hour. Hours count from the delivery; 0: the time is unknown.
func judged(status order.Status, rounds, changes, ended int) order.ReportRow {
	after := func(hours int) time.Time {
		if hours == 0 {
			return time.Time{}
		}
		return placed.Add(time.Duration(hours+1) * time.Hour)
	}
	return order.ReportRow{
		Channel: "C1", Status: status, Rounds: rounds, Placed: placed, Images: 1,
		Milestones: order.Milestones{Ready: placed.Add(time.Hour), Changes: after(changes), Ended: after(ended)},
	}
}

// undelivered returns an order without its time of delivery.
func undelivered(r order.ReportRow) order.ReportRow {
	r.Ready = time.Time{}
	return r
}

// vague returns an order whose revision the service never told.
func vague(r order.ReportRow) order.ReportRow {
	r.RoundsUnknown = true
	return r
}

func TestADecisionIsTheFirstOnTheFirstDelivery(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		row     order.ReportRow
		decided time.Duration // -1: unknown
		round   int           // 0: none
		unknown int
	}{
		"approved at once":                      {judged(order.StatusClosed, 0, 0, 2), 2 * time.Hour, 1, 0},
		"approved after changes":                {judged(order.StatusClosed, 1, 3, 9), 3 * time.Hour, 2, 0},
		"changes, and now in review again":      {judged(order.StatusReviewing, 1, 3, 0), 3 * time.Hour, 2, 0},
		"changes on their way":                  {judged(order.StatusRevising, 1, 3, 0), 3 * time.Hour, 0, 0},
		"approved, the service never counted":   {judged(order.StatusClosed, 0, 3, 9), 3 * time.Hour, 1, 0},
		"changes that the service counts later": {judged(order.StatusRevising, 0, 3, 0), 3 * time.Hour, 0, 0},
		"in its first review":                   {judged(order.StatusReviewing, 0, 0, 0), -1, 1, 0},
		"being edited":                          {undelivered(judged(order.StatusEditing, 0, 0, 0)), -1, 0, 0},
		"canceled":                              {undelivered(judged(order.StatusCanceled, 0, 0, 2)), -1, 0, 0},
		"canceled after a delivery":             {judged(order.StatusCanceled, 0, 0, 2), -1, 0, 0},
		"approved, the delivery was not seen":   {undelivered(judged(order.StatusClosed, 0, 0, 2)), -1, 1, 1},
		"approved, its time is unknown":         {judged(order.StatusClosed, 0, 0, 0), -1, 1, 1},
		"changes before their time was kept":    {judged(order.StatusClosed, 2, 0, 9), -1, 3, 1},
		"more changes, without their time":      {judged(order.StatusRevising, 1, 0, 0), -1, 0, 1},
		"approved in nobody knows which round":  {vague(judged(order.StatusClosed, 0, 0, 2)), -1, 0, 1},
		"changes in nobody knows which round":   {vague(judged(order.StatusClosed, 0, 3, 9)), 3 * time.Hour, 0, 1},
		"in nobody knows which review":          {vague(judged(order.StatusReviewing, 0, 0, 0)), -1, 0, 0},
	}
	for name, row := range tests {
		took, known := row.row.DecidedAfter()
		require.Equal(t, row.decided >= 0, known, name)
		require.Equal(t, max(row.decided, 0), took, name)
		round, known := row.row.Round()
		require.Equal(t, row.round > 0, known, name)
		if known {
			require.Equal(t, row.round, round, name)
		}
		f := order.NewReport([]order.ReportRow{row.row}, november, "", placed).Total
		require.Equal(t, row.unknown, f.Unknown, name)
	}
}

func TestReviewsAreSummedUp(t *testing.T) {
	t.Parallel()
	rows := []order.ReportRow{
		judged(order.StatusClosed, 0, 0, 2), judged(order.StatusClosed, 3, 6, 40), judged(order.StatusClosed, 1, 4, 9), judged(order.StatusClosed, 0, 0, 8),
		judged(order.StatusReviewing, 5, 20, 0), undelivered(judged(order.StatusClosed, 0, 0, 1)), judged(order.StatusReviewing, 0, 0, 0),
	}
	of := func(n int) order.Reviews { return order.NewReport(rows[:n], november, "", placed).Total.Reviews }
	hours := func(count, median, slowest int) order.Spread {
		return order.Spread{Count: count, Median: time.Duration(median) * time.Hour, Slowest: time.Duration(slowest) * time.Hour}
	}
	require.Equal(t, order.Reviews{}, of(0))
	require.Equal(t, order.Reviews{Approvals: 1, First: 1, MedianRound: 1, Decided: hours(1, 2, 2)}, of(1))
	require.Equal(t, order.Reviews{Approvals: 2, First: 1, MedianRound: 2.5, Decided: hours(2, 4, 6)}, of(2))
	require.Equal(t, order.Reviews{Approvals: 3, First: 1, MedianRound: 2, Decided: hours(3, 4, 6)}, of(3))
	require.Equal(t, order.Reviews{Approvals: 4, First: 2, MedianRound: 1.5, Decided: hours(4, 5, 8)}, of(4))
	require.Equal(t, order.Reviews{Approvals: 4, First: 2, MedianRound: 1.5, Decided: hours(5, 6, 20)}, of(5), "a request for changes is a decision, but no approval")
	require.Equal(t, order.Reviews{Approvals: 5, First: 3, MedianRound: 1, Decided: hours(5, 6, 20), Unknown: 1}, of(6))
	require.Equal(t, of(6), of(7), "nobody has decided")
}

// Each round brings the photos again. A group has those of all rounds of its orders.
func TestInspectedPhotosAreSummedUp(t *testing.T) {
	t.Parallel()
	rows := []order.ReportRow{
		filledFrom("Beach", judged(order.StatusClosed, 0, 0, 2)), filledFrom("Beach", judged(order.StatusClosed, 1, 1, 2)),
		filledFrom("Attic", judged(order.StatusCanceled, 0, 0, 2)), filledFrom("Cellar", judged(order.StatusReviewing, 0, 0, 0)),
	}
	for i, n := range []order.Inspected{{Photos: 40, Faulty: 3}, {Photos: 20}, {Photos: 1, Faulty: 1}} {
		rows[i].Inspected = n
	}
	groups := func(by order.ReportBy) map[string]order.Inspected {
		r := order.NewReport(rows, november, by, placed)
		all := map[string]order.Inspected{"": r.Total.Inspected}
		for _, g := range r.Groups {
			all[g.Name] = g.Inspected
		}
		return all
	}
	total := order.Inspected{Photos: 61, Faulty: 4}
	require.Equal(t, map[string]order.Inspected{"": total, "Beach": {Photos: 60, Faulty: 3}, "Attic": {Photos: 1, Faulty: 1}, "Cellar": {}}, groups(order.ByPreset))
	require.Equal(t, map[string]order.Inspected{"": total, "1": {Photos: 40, Faulty: 3}, "2": {Photos: 20}, order.NoRound: {Photos: 1, Faulty: 1}}, groups(order.ByRound))
}

// filledFrom returns an order of a preset.
func filledFrom(preset string, r order.ReportRow) order.ReportRow {
	r.Preset = preset
	return r
}

func TestOrdersAreGroupedByPresetAndRound(t *testing.T) {
	t.Parallel()
	hidden := judged(order.StatusClosed, 0, 0, 1)
	hidden.Channel = ""
	rows := []order.ReportRow{
		filledFrom("BEACH", judged(order.StatusClosed, 0, 0, 1)), filledFrom("Beach", judged(order.StatusClosed, 1, 1, 2)), filledFrom("Beach", judged(order.StatusEditing, 0, 0, 0)),
		judged(order.StatusClosed, 1, 1, 2), judged(order.StatusClosed, 10, 1, 2), filledFrom("Attic", vague(judged(order.StatusClosed, 0, 0, 1))), hidden,
	}
	groups := func(by order.ReportBy) (all []string) {
		for _, g := range order.NewReport(rows, november, by, placed).Groups {
			all = append(all, fmt.Sprintf("%s: %d, %d of %d", g.Name, g.Orders, g.First, g.Approvals))
		}
		return all
	}
	require.Equal(t, []string{"BEACH: 3, 1 of 2", order.NoPreset + ": 2, 0 of 2", ": 1, 1 of 1", "Attic: 1, 0 of 0"}, groups(order.ByPreset), "as the newest order spells it")
	require.Equal(t, []string{"1: 2, 2 of 2", "2: 2, 0 of 2", order.NoRound + ": 1, 0 of 0", "11: 1, 0 of 1", order.UnknownRound + ": 1, 0 of 0"}, groups(order.ByRound))
	for by, reviews := range map[order.ReportBy]bool{order.ByPreset: true, order.ByRound: true, order.ByPerson: false, order.ByChannel: false, order.ByCustomer: false, "": false} {
		require.Equal(t, reviews, by.OfReviews(), by)
	}
}

func TestAThousandOrdersOfFiftyPresets(t *testing.T) {
	t.Parallel()
	rows := make([]order.ReportRow, 1000)
	for i := range rows {
		rows[i] = filledFrom(fmt.Sprint("Preset ", i%50), judged(order.StatusClosed, i%2, 1, 2))
		rows[i].Price = decimal.NewNullDecimal(decimal.NewFromInt(1))
	}
	r := order.NewReport(rows, november, order.ByPreset, placed)
	require.Len(t, r.Groups, 50)
	require.Equal(t, 1.5, r.Total.MedianRound)
	for _, g := range r.Groups {
		require.Equal(t, []int{20, 20, 20}, []int{g.Orders, g.Approvals, g.Decided.Count}, g.Name)
		require.Contains(t, []int{0, 20}, g.First, g.Name)
	}
}
