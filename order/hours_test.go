package order_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/order"
)

// A day has its time of day once, also where the clocks skip it or show it twice.
func TestATimeOfDayComesOnceADay(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		zone, day string
		at        order.ClockTime
		want      string
	}{
		"an ordinary day":                     {"Europe/Berlin", "2026-11-25", "08:00", "2026-11-25T07:00:00Z"},
		"02:30 is skipped":                    {"Europe/Berlin", "2026-03-29", "02:30", "2026-03-29T01:00:00Z"},
		"after the clocks were put forward":   {"Europe/Berlin", "2026-03-29", "08:00", "2026-03-29T06:00:00Z"},
		"02:30 comes twice":                   {"Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T00:30:00Z"},
		"after the clocks were put back":      {"Europe/Berlin", "2026-10-25", "08:00", "2026-10-25T07:00:00Z"},
		"01:30 comes twice, elsewhere":        {"America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30:00Z"},
		"02:30 is skipped, elsewhere":         {"America/New_York", "2026-03-08", "02:30", "2026-03-08T07:00:00Z"},
		"midnight is skipped":                 {"Africa/Cairo", "2026-04-24", "00:00", "2026-04-23T22:00:00Z"},
		"thirteen hours ahead":                {"Pacific/Apia", "2026-11-25", "08:00", "2026-11-24T19:00:00Z"},
		"eleven hours behind":                 {"Pacific/Pago_Pago", "2026-11-25", "08:00", "2026-11-25T19:00:00Z"},
		"half an hour":                        {"Asia/Kolkata", "2026-11-25", "08:00", "2026-11-25T02:30:00Z"},
		"three quarters of an hour":           {"Asia/Kathmandu", "2026-11-25", "08:00", "2026-11-25T02:15:00Z"},
		"the clocks are put by half an hour":  {"Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03T15:30:00Z"},
		"a quarter past, and put by an hour":  {"Pacific/Chatham", "2026-09-27", "03:00", "2026-09-26T14:00:00Z"},
		"a zone that nobody knows is UTC":     {"Mars/Olympus", "2026-11-25", "08:00", "2026-11-25T08:00:00Z"},
		"the zone of the machine is nobody's": {"Local", "2026-11-25", "08:00", "2026-11-25T08:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zone := order.Zone(test.zone)
			day, err := time.ParseInLocation("2006-01-02 15:04", test.day+" 12:00", zone)
			require.NoError(t, err)
			require.Equal(t, test.want, test.at.On(day, zone).UTC().Format(time.RFC3339))
		})
	}
}

// In any zone, the time is on its day, as near as the clocks allow. The next one is a day later, give or take
// two hours.
func TestATimeOfDayIsOnItsDay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		zone := order.Zone(rapid.SampledFrom(order.Zones()).Draw(t, "zone"))
		at := order.ClockTime(fmt.Sprintf("%02d:%02d", rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute")))
		noon := time.Date(2026, 1, 1+rapid.IntRange(0, 730).Draw(t, "day"), 12, 0, 0, 0, zone)
		on := at.On(noon, zone)
		require.Equal(t, noon.Format(time.DateOnly), on.In(zone).Format(time.DateOnly))
		if shows := on.In(zone).Format("15:04"); shows != string(at) {
			require.Greater(t, shows, string(at), "the clocks skipped it")
		}
		next := at.After(on, zone)
		require.True(t, next.After(on))
		require.InDelta(t, 24, next.Sub(on).Hours(), 2)
	})
}

// Every zone that is offered is one.
func TestTheZonesThatAreOfferedAreKnown(t *testing.T) {
	t.Parallel()
	for _, name := range order.Zones() {
		require.True(t, order.KnownZone(name), name)
		require.Equal(t, name, order.Zone(name).String())
	}
	require.Equal(t, "UTC", order.ZoneName("Etc/UTC"))
	require.Equal(t, "Europe/Paris", order.ZoneName("Europe/Paris"))
	require.LessOrEqual(t, len(order.Zones()), 99, "Slack shows a hundred options, one of them the person's own")
	for _, name := range []string{"", "Local", "Mars/Olympus"} {
		require.False(t, order.KnownZone(name), name)
	}
}

// sent checks every five minutes for so long whether a digest is due. It returns the times of the digests, one
// for each day.
func sent(t *testing.T, from time.Time, long time.Duration, settings func(now time.Time) (order.ClockTime, order.QuietHours, *time.Location)) (at []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		<-time.After(time.Until(from))
		last := ""
		for began := time.Now(); time.Since(began) < long; <-time.After(5 * time.Minute) {
			clock, quiet, zone := settings(time.Now())
			day, _ := order.DigestDue(time.Now(), clock, quiet, zone)
			if day > last {
				last = day
				at = append(at, time.Now().UTC().Format("02 15:04"))
			}
		}
	})
	return at
}

// A channel has one digest for each of its days, also when its clocks change at night.
func TestADigestComesOnceADayInEveryZone(t *testing.T) {
	t.Parallel()
	utc := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	for name, test := range map[string]struct {
		zone  string
		at    order.ClockTime
		quiet order.QuietHours
		from  time.Time
		want  []string
	}{
		"forward, at a time that is not": {"Europe/Berlin", "02:30", order.QuietHours{}, utc(2026, 3, 28), []string{"28 01:30", "29 01:00", "30 00:30"}},
		"back, at a time that is twice":  {"Europe/Berlin", "02:30", order.QuietHours{}, utc(2026, 10, 24), []string{"24 00:30", "25 00:30", "26 01:30"}},
		"back, in New York":              {"America/New_York", "01:30", order.QuietHours{}, utc(2026, 10, 31), []string{"31 05:30", "01 05:30", "02 06:30"}},
		"thirteen hours ahead":           {"Pacific/Apia", "08:00", order.QuietHours{}, utc(2026, 11, 25), []string{"25 19:00", "26 19:00", "27 19:00"}},
		"half an hour":                   {"Asia/Kolkata", "08:00", order.QuietHours{}, utc(2026, 11, 25), []string{"25 02:30", "26 02:30", "27 02:30"}},
		"after the quiet hours":          {"Europe/Berlin", "07:00", order.QuietHours{From: "20:00", Until: "09:00"}, utc(2026, 3, 28), []string{"28 08:00", "29 07:00", "30 07:00"}},
		"the evening before":             {"UTC", "22:00", order.QuietHours{From: "20:00", Until: "07:00"}, utc(2026, 11, 25), []string{"25 07:00", "26 07:00", "27 07:00"}},
		"quiet hours that it is not in":  {"UTC", "12:00", order.QuietHours{From: "20:00", Until: "07:00"}, utc(2026, 11, 25), []string{"25 12:00", "26 12:00", "27 12:00"}},
		"off":                            {"UTC", "", order.QuietHours{}, utc(2026, 11, 25), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := sent(t, test.from, 72*time.Hour, func(time.Time) (order.ClockTime, order.QuietHours, *time.Location) {
				return test.at, test.quiet, order.Zone(test.zone)
			})
			require.Equal(t, test.want, got)
		})
	}
}

// A day with a digest gets no second one when the channel's zone, or its time for digests, changes.
func TestADigestComesOnceADayWhenTheZoneChanges(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		before, after string
		changes       time.Time
		want          []string
	}{
		"west, after the digest":          {"Europe/Berlin", "Europe/London", from.Add(7*time.Hour + 30*time.Minute), []string{"25 07:00", "26 08:00", "27 08:00"}},
		"west, before it":                 {"Europe/Berlin", "Europe/London", from.Add(6 * time.Hour), []string{"25 08:00", "26 08:00", "27 08:00"}},
		"east, before it":                 {"Europe/London", "Europe/Berlin", from.Add(7*time.Hour + 30*time.Minute), []string{"25 07:30", "26 07:00", "27 07:00"}},
		"over the date line, to the west": {"Asia/Tokyo", "Pacific/Honolulu", from.Add(23*time.Hour + 30*time.Minute), []string{"25 00:00", "25 23:00", "27 18:00"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := sent(t, from, 72*time.Hour, func(now time.Time) (order.ClockTime, order.QuietHours, *time.Location) {
				zone := test.before
				if !now.Before(test.changes) {
					zone = test.after
				}
				return "08:00", order.QuietHours{}, order.Zone(zone)
			})
			require.Equal(t, test.want, got)
		})
	}
}

// A digest that could not be sent in time is sent for two hours more, and then no longer.
func TestADigestThatWasMissedIsSentForTwoHours(t *testing.T) {
	t.Parallel()
	due := time.Date(2026, 11, 25, 23, 30, 0, 0, time.UTC)
	for late, want := range map[time.Duration]string{
		-time.Minute: "", 0: "2026-11-25", time.Hour: "2026-11-25", 2*time.Hour - time.Second: "2026-11-25", 2 * time.Hour: "",
	} {
		day, until := order.DigestDue(due.Add(late), "23:30", order.QuietHours{}, time.UTC)
		require.Equal(t, want, day, late)
		if want != "" {
			require.Equal(t, due.Add(2*time.Hour), until.UTC())
		}
	}
}

// What is due in quiet hours waits until they are over.
func TestQuietHoursEnd(t *testing.T) {
	t.Parallel()
	at := func(clock string) time.Time {
		when, err := time.ParseInLocation("2006-01-02 15:04", "2026-11-25 "+clock, time.UTC)
		require.NoError(t, err)
		return when
	}
	night, day := order.QuietHours{From: "20:00", Until: "07:00"}, order.QuietHours{From: "12:00", Until: "13:00"}
	require.Equal(t, at("07:00"), night.Wait(at("06:59"), time.UTC))
	require.Equal(t, at("07:00"), night.Wait(at("07:00"), time.UTC))
	require.Equal(t, at("19:59"), night.Wait(at("19:59"), time.UTC))
	require.Equal(t, at("07:00").Add(24*time.Hour), night.Wait(at("20:00"), time.UTC))
	require.Equal(t, at("13:00"), day.Wait(at("12:30"), time.UTC))
	require.Equal(t, at("11:30"), day.Wait(at("11:30"), time.UTC))
	for _, none := range []order.QuietHours{{}, {From: "20:00"}, {Until: "20:00"}, {From: "20:00", Until: "20:00"}, {From: "x", Until: "20:00"}} {
		require.False(t, none.On())
		require.Equal(t, at("20:00"), none.Wait(at("20:00"), time.UTC))
	}
	require.Equal(t, at("09:00").Add(24*time.Hour), order.Morning.Tomorrow(at("01:00"), time.UTC).UTC())
}
