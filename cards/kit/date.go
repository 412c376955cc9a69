package kit

import (
	"strconv"
	"time"
)

// When formats a date that each reader sees in their own time zone.
func When(t time.Time) string {
	return "<!date^" + strconv.FormatInt(t.Unix(), 10) + "^{date_short_pretty} at {time}|" +
		t.UTC().Format("2 Jan 2006 15:04") + " UTC>"
}

// WhenKnown is [When], or "" for the zero time.
func WhenKnown(t time.Time) string { return OnlyIf(!t.IsZero(), When(t)) }

// Clock formats only the time of day, for times a few minutes away.
func Clock(t time.Time) string {
	return "<!date^" + strconv.FormatInt(t.Unix(), 10) + "^{time}|" + t.UTC().Format("15:04") + " UTC>"
}
