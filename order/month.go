package order

import (
	"strconv"
	"strings"
	"time"
)

// Month is a month somewhere: it begins at the first moment of its first day there, and ends where the
// next begins.
type Month struct {
	Year  int
	Month time.Month
	Zone  *time.Location
}

// MonthOf is the month in which that moment falls there.
func MonthOf(at time.Time, zone *time.Location) Month {
	at = at.In(zone)
	return Month{at.Year(), at.Month(), zone}
}

// Before is the month so many months earlier.
func (m Month) Before(months int) Month {
	first := time.Date(m.Year, m.Month-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	return Month{first.Year(), first.Month(), m.Zone}
}

// Begins is the first moment of the month. Where clocks change at that very midnight there may be two
// of them, and the first counts; or none, and the month begins when the clock was set forward.
func (m Month) Begins() time.Time {
	const step = 15 * time.Minute // clocks change by whole quarters of an hour
	at := time.Date(m.Year, m.Month, 1, 0, 0, 0, 0, m.Zone)
	for at.Month() != m.Before(0).Month {
		at = at.Add(step)
	}
	for earlier := at.Add(-step); earlier.Month() == m.Before(0).Month; earlier = at.Add(-step) {
		at = earlier
	}
	return at
}

// Ends is the first moment that is no longer of the month.
func (m Month) Ends() time.Time { return m.Before(-1).Begins() }

// Days is how many days it has.
func (m Month) Days() int { return time.Date(m.Year, m.Month+1, 0, 0, 0, 0, 0, time.UTC).Day() }

// String is "November 2026".
func (m Month) String() string { return m.Month.String() + " " + strconv.Itoa(m.Year) }

// ParseMonth reads the month that the words begin with, as people write it, and returns how many of the
// words it took; 0 when they begin with none. A name without a year is that of the last such month; "last"
// and "last month" are the month before.
func ParseMonth(words []string, now time.Time, zone *time.Location) (m Month, took int) {
	this := MonthOf(now, zone)
	if len(words) == 0 {
		return this, 0
	}
	first, second := strings.ToLower(words[0]), ""
	if len(words) > 1 {
		second = strings.ToLower(words[1])
	}
	switch first {
	case "this", "last":
		m, took = this, 1
		if first == "last" {
			m = this.Before(1)
		}
		if second == "month" {
			took = 2
		}
		return m, took
	}
	if at, err := time.Parse("2006-01", first); err == nil {
		return Month{at.Year(), at.Month(), zone}, 1
	}
	named := monthNamed(first)
	if named == 0 {
		return this, 0
	}
	if year, err := strconv.Atoi(second); err == nil && len(second) == 4 {
		return Month{year, named, zone}, 2
	}
	back := (int(this.Month) - int(named) + 12) % 12
	return this.Before(back), 1
}

// monthNamed is the month of that name, or of its first three letters or more; 0: none.
func monthNamed(name string) time.Month {
	if len(name) < 3 {
		return 0
	}
	for m := time.January; m <= time.December; m++ {
		if strings.HasPrefix(strings.ToLower(m.String()), name) {
			return m
		}
	}
	return 0
}
