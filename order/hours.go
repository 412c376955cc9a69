package order

import (
	"fmt"
	"strings"
	"time"
)

// ClockTime is a time of day such as "08:00" on the clock of a channel; "": no time.
type ClockTime string

// Morning is the time of day at which a reminder snoozed until tomorrow comes.
const Morning ClockTime = "09:00"

// minutes returns the minutes since midnight; false if the text is no time of day.
func (c ClockTime) minutes() (int, bool) {
	at, err := time.Parse("15:04", string(c))
	return at.Hour()*60 + at.Minute(), err == nil
}

// Valid reports whether the text is a time of day.
func (c ClockTime) Valid() bool {
	_, ok := c.minutes()
	return ok
}

// On returns the first moment at which the clocks of a zone show the time on the date of day. If they skip it
// in spring, On returns the moment of the change; if they show it twice in autumn, the first.
func (c ClockTime) On(day time.Time, zone *time.Location) time.Time {
	at, _ := c.minutes()
	y, m, d := day.In(zone).Date()
	wall := time.Date(y, m, d, at/60, at%60, 0, 0, time.UTC)
	first := time.Time{}
	for _, near := range []time.Time{wall.Add(-36 * time.Hour), wall.Add(36 * time.Hour)} { // no offset is larger
		_, offset := near.In(zone).Zone()
		t := wall.Add(-time.Duration(offset) * time.Second).In(zone)
		if t.Format("02 15:04") == wall.Format("02 15:04") && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	if first.IsZero() {
		_, offset := wall.Add(-36 * time.Hour).In(zone).Zone()
		first, _ = wall.Add(-time.Duration(offset) * time.Second).In(zone).ZoneBounds()
	}
	return first
}

// After returns the first moment after now at which the clocks of a zone show the time.
func (c ClockTime) After(now time.Time, zone *time.Location) time.Time {
	for days := 0; ; days++ {
		if at := c.On(midday(now, zone, days), zone); at.After(now) || days > 2 {
			return at
		}
	}
}

// Tomorrow returns the moment at which the clocks of a zone show the time on the next day.
func (c ClockTime) Tomorrow(now time.Time, zone *time.Location) time.Time {
	return c.On(midday(now, zone, 1), zone)
}

// midday returns noon of a day, so many days after now. No zone changes its clocks at noon.
func midday(now time.Time, zone *time.Location, days int) time.Time {
	y, m, d := now.In(zone).Date()
	return time.Date(y, m, d+days, 12, 0, 0, 0, zone)
}

// QuietHours is the part of a day in which messages that can wait are not sent. It may span midnight; its zero
// value is never.
type QuietHours struct {
	From  ClockTime `json:"from,omitempty"`
	Until ClockTime `json:"until,omitempty"`
}

// On reports whether there are quiet hours.
func (q QuietHours) On() bool { return q.From.Valid() && q.Until.Valid() && q.From != q.Until }

// Wait returns the time to send a message that is due: then, or at the end of the quiet hours.
func (q QuietHours) Wait(due time.Time, zone *time.Location) time.Time {
	if !q.On() {
		return due
	}
	from, _ := q.From.minutes()
	until, _ := q.Until.minutes()
	local := due.In(zone)
	now := local.Hour()*60 + local.Minute()
	quiet := from <= now && now < until
	if until < from {
		quiet = now >= from || now < until
	}
	if !quiet {
		return due
	}
	return q.Until.After(due, zone)
}

// digestGrace is how late a digest may be sent.
const digestGrace = 2 * time.Hour

// DigestDue returns the day, such as "2026-11-25", whose digest is due now, and the time until which it is; "" if none
// is due. A day has one digest at the time of day at. It waits for the end of quiet hours.
func DigestDue(now time.Time, at ClockTime, quiet QuietHours, zone *time.Location) (day string, until time.Time) {
	if !at.Valid() {
		return "", until
	}
	for _, days := range []int{0, -1} { // yesterday's may be due after midnight
		noon := midday(now, zone, days)
		when := quiet.Wait(at.On(noon, zone), zone)
		if until = when.Add(digestGrace); !now.Before(when) && now.Before(until) {
			return noon.Format(time.DateOnly), until
		}
	}
	return "", time.Time{}
}

// Zone returns the time zone of that name; UTC for "" and for an unknown name.
func Zone(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return time.UTC
	}
	return zone
}

// KnownZone reports whether there is a time zone of that name.
func KnownZone(name string) bool {
	_, err := time.LoadLocation(name)
	return err == nil && name != "" && name != "Local"
}

// FullHour returns the time of day of a full hour.
func FullHour(hour int) ClockTime { return ClockTime(fmt.Sprintf("%02d:00", hour)) }

// ZoneName returns a time zone's name as people read it: "UTC" for "Etc/UTC".
func ZoneName(zone string) string { return strings.TrimPrefix(zone, "Etc/") }

// Zones returns the time zones to offer: a well-known city for each set of rules in use today. Others are
// valid too.
func Zones() []string {
	return []string{
		"UTC", "Pacific/Pago_Pago", "Pacific/Honolulu", "Pacific/Marquesas", "America/Anchorage", "America/Los_Angeles", "America/Tijuana",
		"America/Phoenix", "America/Denver", "America/Edmonton", "America/Chicago", "America/Mexico_City", "America/Winnipeg", "America/Costa_Rica",
		"America/New_York", "America/Toronto", "America/Havana", "America/Bogota", "America/Lima", "America/Halifax", "America/Puerto_Rico",
		"America/Caracas", "America/La_Paz", "America/Asuncion", "America/Santiago", "America/St_Johns", "America/Sao_Paulo",
		"America/Argentina/Buenos_Aires", "America/Montevideo", "America/Nuuk", "America/Noronha", "Atlantic/Azores", "Atlantic/Cape_Verde",
		"Atlantic/Reykjavik", "Europe/London", "Europe/Dublin", "Europe/Lisbon", "Africa/Casablanca", "Africa/Accra", "Africa/Lagos",
		"Europe/Berlin", "Europe/Madrid", "Europe/Paris", "Europe/Brussels", "Europe/Amsterdam", "Europe/Zurich", "Europe/Rome", "Europe/Vienna",
		"Europe/Prague", "Europe/Warsaw", "Europe/Budapest", "Europe/Belgrade", "Europe/Copenhagen", "Europe/Oslo", "Europe/Stockholm",
		"Europe/Helsinki", "Europe/Athens", "Europe/Bucharest", "Europe/Sofia", "Europe/Kyiv", "Africa/Cairo", "Africa/Johannesburg",
		"Asia/Beirut", "Asia/Jerusalem", "Europe/Istanbul", "Europe/Moscow", "Africa/Nairobi", "Asia/Riyadh", "Asia/Tehran", "Asia/Dubai",
		"Asia/Tbilisi", "Asia/Yerevan", "Asia/Kabul", "Asia/Karachi", "Asia/Tashkent", "Asia/Kolkata", "Asia/Colombo", "Asia/Kathmandu",
		"Asia/Dhaka", "Asia/Yangon", "Asia/Bangkok", "Asia/Ho_Chi_Minh", "Asia/Jakarta", "Asia/Shanghai", "Asia/Hong_Kong", "Asia/Singapore",
		"Asia/Taipei", "Asia/Manila", "Australia/Perth", "Asia/Tokyo", "Asia/Seoul", "Australia/Adelaide", "Australia/Brisbane", "Australia/Sydney",
		"Pacific/Noumea", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Apia",
	}
}
