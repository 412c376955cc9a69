package kit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"darkroom/order"

	"github.com/shopspring/decimal"
)

// Capital makes the first letter upper case.
func Capital(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:size]) + s[size:]
}

// Thousands formats a number as "1,234,567".
func Thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return Thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// FullStop ends a sentence with a period unless it has an end. It keeps "".
func FullStop(s string) string {
	return s + OnlyIf(s != "" && strings.TrimRight(s, ".!?") == s, ".")
}

// Dots joins facts: "Paused · 3 images · 12 credits". It skips "".
func Dots(parts ...string) string { return Join(" · ", parts...) }

// Join joins parts and skips "".
func Join(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), between)
}

// OnlyIf returns words if so, else "". The builders skip "".
func OnlyIf(so bool, words string) string { return Either(so, words, "") }

// Either returns yes if so, else no.
func Either[T any](so bool, yes, no T) T {
	if so {
		return yes
	}
	return no
}

// Prefixed puts words before a value, unless the value is "".
func Prefixed(words, value string) string { return OnlyIf(value != "", words+value) }

// Count formats "1 image" or "2 images".
func Count(n int, one, many string) string { return strconv.Itoa(n) + " " + Plural(n, one, many) }

// Plural returns one if n is 1, else many.
func Plural(n int, one, many string) string { return Either(n == 1, one, many) }

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

// Lasting formats a duration in words.
func Lasting(d time.Duration) string {
	if d < 2*time.Minute {
		return Count(int(d.Round(time.Second)/time.Second), "second", "seconds")
	}
	d = d.Round(time.Minute)
	hours, minutes := int(d/time.Hour), int(d%time.Hour/time.Minute)
	return Join(" ", OnlyIf(hours > 0, Count(hours, "hour", "hours")), OnlyIf(minutes > 0, Count(minutes, "minute", "minutes")))
}

// CreditsOf formats whole credits as [CreditCount] does.
func CreditsOf(n int) string { return CreditCount(decimal.NewFromInt(int64(n))) }

// CreditCount formats credits with their unit: "12.5 credits".
func CreditCount(d decimal.Decimal) string {
	amount := Amount(d)
	return amount + Either(amount == "1", " credit", " credits")
}

// Amount formats credits with at most two decimals. A value that would round to zero keeps all decimals.
// Absurdly long values become "very many".
func Amount(d decimal.Decimal) string {
	if e := d.Exponent(); e > 30 || e < -30 || d.NumDigits() > 40 {
		return "very many"
	}
	d = order.Credits(d)
	if cents := d.Round(2); d.IsZero() || !cents.IsZero() {
		d = cents
	}
	return d.String()
}
