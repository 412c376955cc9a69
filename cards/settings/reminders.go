package settings

import (
	"strconv"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

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
