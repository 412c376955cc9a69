package cards

import (
	"strconv"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const (
	fieldRemind = "remind"
	fieldLate   = "late"
)

// What is chosen where there is only yes and no, or off and something.
const (
	chosenOff = "off"
	chosenOn  = "on"
)

// remindChoices are the waits after which somebody is reminded, in hours.
func remindChoices() []slack.OptionBlockObject {
	named := []struct {
		hours int
		name  string
	}{{4, "After 4 hours"}, {8, "After 8 hours"}, {24, "After 1 day"}, {48, "After 2 days"}, {72, "After 3 days"}, {168, "After a week"}}
	options := []slack.OptionBlockObject{*slack.NewOptionBlockObject(chosenOff, plainText("Off"), nil)}
	for _, n := range named {
		options = append(options, *slack.NewOptionBlockObject(strconv.Itoa(n.hours), plainText(n.name), nil))
	}
	return options
}

// remindSettings say when somebody is reminded of an order that waits for them.
var remindSettings = settingsPart{
	ask: func(p *builder, now store.Settings) {
		p.choice(fieldRemind, "Remind when an order waits for you", "Once a round, in the order's thread: of a review, and of a pause. It can be snoozed, and stops by itself.",
			strconv.Itoa(now.RemindHours), remindChoices())
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		for _, option := range remindChoices() {
			if chosen := fieldOf(view, fieldRemind).SelectedOption.Value; chosen == option.Value {
				now.RemindHours, _ = strconv.Atoi(chosen) // off is none
			}
		}
		return nil
	},
	says: func(now store.Settings) string {
		if now.RemindHours == 0 {
			return ""
		}
		return "*Reminders*: an order that waits for somebody for " + longHours(now.RemindHours) + " says so in its thread, once a round."
	},
}

// longHours is a number of hours as people say it.
func longHours(n int) string {
	if n >= 24 && n%24 == 0 {
		return count(n/24, "day", "days")
	}
	return count(n, "hour", "hours")
}

// lateSettings say whether a thread tells that the estimate of a delivery has passed.
var lateSettings = settingsSwitch{
	field: fieldLate, label: "Say when an order is past its estimate", hint: "Once a round, in the order's thread.",
	off:  slack.NewOptionBlockObject(chosenOff, plainText("Off"), nil),
	on:   slack.NewOptionBlockObject(chosenOn, plainText("On"), nil),
	is:   func(settings *store.Settings) *bool { return &settings.SayLate },
	says: "*Late orders*: the thread of an order that is past its estimate says so, once a round.",
}.part()

// choice is a menu of which one option is chosen: the first, while none of them was.
func (p *builder) choice(field, label, hint, chosen string, options []slack.OptionBlockObject) {
	all := make([]*slack.OptionBlockObject, len(options))
	for i := range options {
		all[i] = &options[i]
	}
	menu := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText("Choose"), field, all...)
	menu.InitialOption = all[0]
	if now := optionOf(all, chosen); now != nil {
		menu.InitialOption = now
	}
	p.put(ask(blockID(field, 0, 0), label, hint, menu))
}

// clockChoices are the full hours of a day, behind what stands for none.
func clockChoices() []slack.OptionBlockObject {
	options := []slack.OptionBlockObject{*slack.NewOptionBlockObject(chosenOff, plainText("Off"), nil)}
	for hour := range 24 {
		at := order.FullHour(hour)
		options = append(options, *slack.NewOptionBlockObject(string(at), plainText(string(at)), nil))
	}
	return options
}

// chosenClock reads what was chosen of them; false when the form did not ask.
func chosenClock(view slack.View, field string) (order.ClockTime, bool) {
	chosen := order.ClockTime(fieldOf(view, field).SelectedOption.Value)
	switch {
	case chosen.Valid():
		return chosen, true
	case chosen == chosenOff:
		return "", true
	}
	return "", false
}
