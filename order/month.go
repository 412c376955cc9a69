package order

import (
	"strconv"
	"strings"
	"time"
)

// Month is a calendar month in a time zone. It begins at the first moment of its first day and ends where the
// next begins.
type Month struct {
	Year  int
	Month time.Month
	Zone  *time.Location
}

// MonthOf returns the month of a moment in a zone.
func MonthOf(at time.Time, zone *time.Location) Month {
	at = at.In(zone)
	return Month{at.Year(), at.Month(), zone}
}

// Before returns the month so many months earlier.
func (m Month) Before(months int) Month {
	first := time.Date(m.Year, m.Month-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	return Month{first.Year(), first.Month(), m.Zone}
}

// Begins returns the first moment of the month. If a clock change repeats midnight, it is the first midnight;
// if one skips it, the moment of the change.
func (m Month) Begins() time.Time {
	return FullHour(0).On(time.Date(m.Year, m.Month, 1, 12, 0, 0, 0, m.Zone), m.Zone)
}

// Ends returns the first moment after the month.
func (m Month) Ends() time.Time { return m.Before(-1).Begins() }

// Days returns the number of days in the month.
func (m Month) Days() int { return time.Date(m.Year, m.Month+1, 0, 0, 0, 0, 0, time.UTC).Day() }

// String returns the month as "November 2026".
func (m Month) String() string { return m.Month.String() + " " + strconv.Itoa(m.Year) }

// ParseMonth reads a month at the start of the words, as people write it, and returns the number of words
// used; 0 if they do not start with a month. A name without a year is the most recent such month. "last" and
// "last month" are the previous month.
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

// monthNamed returns the month whose name starts with these three letters or more; 0 if none does.
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
