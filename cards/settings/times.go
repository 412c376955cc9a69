package settings

import (
	"slices"
	"strconv"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const (
	fieldDigest = "digest"
	fieldZone   = "zone"
)

// digestPart says when the channel gets its daily digest.
var digestPart = part{
	ask: func(p *kit.Page, now store.Settings) {
		addChoice(p, fieldDigest, "Morning digest", "One message a day: what waits for review, what is late, paused or due today. Nothing when there is nothing to say.",
			string(now.Digest), clockChoices())
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		if at, formInputs := chosenClock(view, fieldDigest); formInputs {
			now.Digest = at
		}
		return nil
	},
	confirm: func(now store.Settings) string {
		return kit.OnlyIf(now.Digest.Valid(), "*Morning digest*: each day at "+string(now.Digest)+" ("+kit.Inline(now.Clock().String(), 60)+"), when there is something to say.")
	},
}

// zonePart is the time zone of the channel's times.
var zonePart = part{
	ask: func(p *kit.Page, now store.Settings) {
		addChoice(p, fieldZone, "Time zone", "Of the digest, the quiet hours, and the morning until which a reminder is snoozed.", now.Clock().String(), zoneChoices(now))
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		chosen := kit.AnswerOf(view, fieldZone).SelectedOption.Value
		switch {
		case chosen == "":
		case order.KnownZone(chosen):
			now.Zone = chosen
		default:
			return kit.Beside(view, fieldZone, "I do not know this time zone. Choose another one.")
		}
		return nil
	},
	confirm: func(now store.Settings) string {
		return kit.OnlyIf(now.Zone != "" && (now.Reminds() || now.Quiet.On()), "*Time zone*: "+kit.Inline(now.Zone, 60)+".")
	},
}

// zoneChoices returns the time zones, including the current one.
func zoneChoices(now store.Settings) []*slack.OptionBlockObject {
	zones := order.Zones()
	if mine := now.Clock().String(); !slices.Contains(zones, mine) {
		zones = append([]string{mine}, zones...)
	}
	return kit.Map(zones, func(_ int, zone string) *slack.OptionBlockObject {
		return kit.Option(kit.Clip(zone, kit.MaxOptionValue), kit.Clip(zone, kit.MaxOptionText), "")
	})
}

// clockChoices returns off and the full hours of a day.
func clockChoices() []*slack.OptionBlockObject {
	options := []*slack.OptionBlockObject{kit.Option(chosenOff, "Off", "")}
	for hour := range 24 {
		at := order.FullHour(hour)
		options = append(options, kit.Option(string(at), string(at), ""))
	}
	return options
}

// chosenClock returns the chosen time. It returns false if the form did not ask.
func chosenClock(view slack.View, field string) (order.ClockTime, bool) {
	chosen := order.ClockTime(kit.AnswerOf(view, field).SelectedOption.Value)
	switch {
	case chosen.Valid():
		return chosen, true
	case chosen == chosenOff:
		return "", true
	}
	return "", false
}

const (
	fieldQuietFrom  = "quiet-from"
	fieldQuietUntil = "quiet-until"
)

// quietPart says when reminders and the digest wait.
var quietPart = part{
	ask: func(p *kit.Page, now store.Settings) {
		addChoice(p, fieldQuietFrom, "Quiet hours from", "Reminders and the digest wait until they are over. Deliveries and what people do are told at once.",
			string(now.Quiet.From), clockChoices())
		addChoice(p, fieldQuietUntil, "Quiet hours until", "", string(now.Quiet.Until), clockChoices())
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		quiet := now.Quiet
		if from, formInputs := chosenClock(view, fieldQuietFrom); formInputs {
			quiet.From = from
		}
		if until, formInputs := chosenClock(view, fieldQuietUntil); formInputs {
			quiet.Until = until
		}
		if quiet == (order.QuietHours{}) || quiet.On() {
			now.Quiet = quiet
			return nil
		}
		return kit.Beside(view, fieldQuietUntil, "Quiet hours need a beginning and another time at which they end. Choose both, or Off for both.")
	},
	confirm: func(now store.Settings) string {
		return kit.OnlyIf(now.Quiet.On(), "*Quiet hours*: from "+string(now.Quiet.From)+" until "+string(now.Quiet.Until)+", reminders and the digest wait.")
	},
}

const fieldRemind = "remind"

// remindChoices returns the waiting times before a reminder, in hours.
func remindChoices() []*slack.OptionBlockObject {
	named := []struct {
		hours int
		name  string
	}{{4, "After 4 hours"}, {8, "After 8 hours"}, {24, "After 1 day"}, {48, "After 2 days"}, {72, "After 3 days"}, {168, "After a week"}}
	options := []*slack.OptionBlockObject{kit.Option(chosenOff, "Off", "")}
	for _, n := range named {
		options = append(options, kit.Option(strconv.Itoa(n.hours), n.name, ""))
	}
	return options
}

// remindPart says when somebody is reminded of a waiting order.
var remindPart = part{
	ask: func(p *kit.Page, now store.Settings) {
		addChoice(p, fieldRemind, "Remind when an order waits for you", "Once a round, in the order's thread: of a review, and of a pause. It can be snoozed, and stops by itself.",
			strconv.Itoa(now.RemindHours), remindChoices())
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		if chosen := kit.AnswerOf(view, fieldRemind).SelectedOption.Value; kit.OptionOf(remindChoices(), chosen) != nil {
			now.RemindHours, _ = strconv.Atoi(chosen) // off is 0
		}
		return nil
	},
	confirm: func(now store.Settings) string {
		return kit.OnlyIf(now.RemindHours > 0, "*Reminders*: an order that waits for somebody for "+longHours(now.RemindHours)+" says so in its thread, once a round.")
	},
}

// longHours formats a number of hours.
func longHours(n int) string {
	return kit.Either(n >= 24 && n%24 == 0, kit.Count(n/24, "day", "days"), kit.Count(n, "hour", "hours"))
}
