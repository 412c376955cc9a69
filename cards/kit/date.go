package kit

import (
	"strconv"
	"time"
)

// When is a date that every reader sees in their own time zone.
func When(t time.Time) string {
	return "<!date^" + strconv.FormatInt(t.Unix(), 10) + "^{date_short_pretty} at {time}|" +
		t.UTC().Format("2 Jan 2006 15:04") + " UTC>"
}

// WhenKnown is "" for the zero time.
func WhenKnown(t time.Time) string { return OnlyIf(!t.IsZero(), When(t)) }

// Clock is only the time of such a date, for one a few minutes from now.
func Clock(t time.Time) string {
	return "<!date^" + strconv.FormatInt(t.Unix(), 10) + "^{time}|" + t.UTC().Format("15:04") + " UTC>"
}
