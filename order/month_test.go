package order_test

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the zones of these tests, wherever they run

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/order"
)

func TestAMonthIsNamedAsPeopleWriteIt(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	for line, want := range map[string]string{
		"2026-11": "November 2026", "2025-02": "February 2025", "november": "November 2026", "Nov": "November 2026", "december": "December 2025",
		"november 2024": "November 2024", "last": "October 2026", "last month": "October 2026", "this month": "November 2026", "may": "May 2026", "by": "", "2026-13": "",
		"no": "", "": "", "novembers": "",
	} {
		m, took := order.ParseMonth(strings.Fields(line), now, time.UTC)
		require.Equal(t, want != "", took > 0, line)
		if took > 0 {
			require.Equal(t, want, m.String(), line)
			require.Equal(t, len(strings.Fields(line)), took, line)
		}
	}
	m, took := order.ParseMonth([]string{"november", "csv"}, now, time.UTC)
	require.Equal(t, "November 2026", m.String())
	require.Equal(t, 1, took)
	m, _ = order.ParseMonth([]string{"last"}, time.Date(2026, 1, 31, 23, 0, 0, 0, time.UTC), time.UTC)
	require.Equal(t, "December 2025", m.String())
}

func zone(t require.TestingT, name string) *time.Location {
	z, err := time.LoadLocation(name)
	require.NoError(t, err)
	return z
}

// Where clocks change on the first of a month, at midnight or near, it begins once and ends once.
func TestAMonthBeginsWhenItsFirstDayDoes(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		month order.Month
		want  string
	}{
		"in UTC":                               {order.Month{Year: 2026, Month: 11, Zone: time.UTC}, "2026-11-01T00:00:00Z"},
		"Berlin, an hour after summer time":    {order.Month{Year: 2026, Month: 11, Zone: zone(t, "Europe/Berlin")}, "2026-10-31T23:00:00Z"},
		"New York, on the day clocks go back":  {order.Month{Year: 2026, Month: 11, Zone: zone(t, "America/New_York")}, "2026-11-01T04:00:00Z"},
		"Havana, where midnight comes twice":   {order.Month{Year: 2026, Month: 11, Zone: zone(t, "America/Havana")}, "2026-11-01T04:00:00Z"},
		"Asunción, where there is no midnight": {order.Month{Year: 2023, Month: 10, Zone: zone(t, "America/Asuncion")}, "2023-10-01T04:00:00Z"},
		"Lord Howe, by half an hour":           {order.Month{Year: 2024, Month: 4, Zone: zone(t, "Australia/Lord_Howe")}, "2024-03-31T13:00:00Z"},
		"Apia, which skipped a day":            {order.Month{Year: 2012, Month: 1, Zone: zone(t, "Pacific/Apia")}, "2011-12-31T10:00:00Z"},
	} {
		require.Equal(t, row.want, row.month.Begins().UTC().Format(time.RFC3339), name)
	}
}

func TestEveryMomentIsOfOneMonth(t *testing.T) {
	t.Parallel()
	zones := []string{"UTC", "Europe/Berlin", "America/New_York", "America/Havana", "America/Asuncion", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Pacific/Kiritimati"}
	rapid.Check(t, func(t *rapid.T) {
		where := zone(t, rapid.SampledFrom(zones).Draw(t, "zone"))
		at := time.Unix(rapid.Int64Range(1_000_000_000, 2_000_000_000).Draw(t, "at"), 0)
		m := order.MonthOf(at, where)
		begins, ends := m.Begins(), m.Ends()
		if at.Before(begins) || !at.Before(ends) {
			t.Fatalf("%v is not between %v and %v", at.In(where), begins, ends)
		}
		if before := begins.Add(-time.Nanosecond).In(where); before.Month() == m.Month || begins.In(where).Month() != m.Month {
			t.Fatalf("%v begins at %v", m, begins)
		}
		if next := order.MonthOf(ends, where); !next.Begins().Equal(ends) || !next.Before(1).Begins().Equal(begins) {
			t.Fatalf("%v ends at %v", m, ends)
		}
	})
}
