package settings

import (
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// finalsPart says whether the final images are uploaded at approval.
var finalsPart = switchOf{
	field: "finals", label: "Final images into the thread at approval",
	hint:    "It needs the app's permission to upload files (files:write). Without it, the links are there as before.",
	off:     kit.Option("no", "No", "Links to them."),
	on:      kit.Option("yes", "Yes", "The files themselves, up to 200 MB each."),
	setting: func(settings *store.Settings) *bool { return &settings.FinalImages },
	confirm: "The final images come into an order's thread when it is approved, if the app may upload files (files:write).",
}.part()

const fieldLate = "late"

// Option values.
const (
	chosenOff = "off"
	chosenOn  = "on"
)

// latePart says whether the thread reports a late order.
var latePart = switchOf{
	field: fieldLate, label: "Say when an order is past its estimate", hint: "Once a round, in the order's thread.",
	off:     kit.Option(chosenOff, "Off", ""),
	on:      kit.Option(chosenOn, "On", ""),
	setting: func(settings *store.Settings) *bool { return &settings.SayLate },
	confirm: "*Late orders*: the thread of an order that is past its estimate says so, once a round.",
}.part()

// switchOf is a part with two options. off is the default.
type switchOf struct {
	field, label, hint string
	off, on            *slack.OptionBlockObject
	setting            func(settings *store.Settings) *bool
	confirm            string // confirms on
}

func (s switchOf) part() part {
	return part{
		ask: func(p *kit.Page, now store.Settings) {
			chosen := kit.Either(*s.setting(&now), s.on.Value, s.off.Value)
			p.Radio(s.field, s.label, s.hint, chosen, s.off, s.on)
		},
		read: func(view slack.View, now *store.Settings) map[string]string {
			switch kit.AnswerOf(view, s.field).SelectedOption.Value {
			case s.off.Value:
				*s.setting(now) = false
			case s.on.Value:
				*s.setting(now) = true
			}
			return nil
		},
		confirm: func(now store.Settings) string { return kit.OnlyIf(*s.setting(&now), s.confirm) },
	}
}

// unfurlPart says whether messages that name orders are answered.
var unfurlPart = switchOf{
	field: "unfurl", label: "References in messages", hint: "An order's reference in square brackets, like [K7Q2XM].",
	off:     kit.Option("no", "Say nothing", ""),
	on:      kit.Option("yes", "Answer in the message's thread", "How the order stands, if everybody here may see it."),
	setting: func(settings *store.Settings) *bool { return &settings.Unfurl },
	confirm: "A message with an order's reference in square brackets is answered in its thread with how the order stands, if everybody here may see that order.",
}.part()
