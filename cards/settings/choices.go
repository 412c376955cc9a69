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

const fieldRelay = "relay"

// relayPart says which thread replies reach the editor.
var relayPart = part{
	ask: func(p *kit.Page, now store.Settings) {
		p.Radio(fieldRelay, "What reaches the editor", "", string(now.Relay),
			kit.Option(string(store.RelayMentions), "Only what is sent on purpose", "By mention, Send to editor, Message the editor or /order message."),
			kit.Option(string(store.RelayReplies), "Every reply in an order's thread", "Begin a reply with // to keep it in Slack."))
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		if !kit.HasField(view, fieldRelay) {
			return nil
		}
		switch chosen := store.Relay(kit.AnswerOf(view, fieldRelay).SelectedOption.Value); chosen {
		case store.RelayMentions, store.RelayReplies:
			now.Relay = chosen
			return nil
		}
		return LostChannel(view)
	},
	confirm: func(now store.Settings) string {
		if now.Relay == store.RelayReplies {
			return "Every reply in an order's thread goes to its editor. A reply that begins with `//` stays in Slack, and so does what guests and other organisations write."
		}
		return "Only what is sent on purpose reaches the editor: a mention of me, *Send to editor*, *Message the Editor* or `/order message`. All other talk stays in Slack."
	},
}

const fieldSheets = "contact-sheets"

// sheetsPart says which reviews get a contact sheet.
var sheetsPart = part{
	ask: func(p *kit.Page, now store.Settings) {
		p.Radio(fieldSheets, "Contact sheets", "Before and after, side by side, in one picture of each review.", string(now.Sheets),
			kit.Option(string(store.SheetsOff), "Off", ""),
			kit.Option(string(store.SheetsEvery), "Every round", "Originals and edits first, then the previous and the new edit."),
			kit.Option(string(store.SheetsLater), "Only later rounds", ""))
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		switch chosen := store.ContactSheets(kit.AnswerOf(view, fieldSheets).SelectedOption.Value); chosen {
		case store.SheetsOff:
			now.Sheets = "" // the default
		case store.SheetsEvery, store.SheetsLater:
			now.Sheets = chosen
		}
		return nil // other values: the form did not ask
	},
	confirm: func(now store.Settings) string {
		switch now.Sheets {
		case store.SheetsEvery:
			return "*Contact sheets*: every review shows before and after side by side, if the app may upload files (files:write)."
		case store.SheetsLater:
			return "*Contact sheets*: from round 2 on, every review shows the previous and the new edit side by side, if the app may upload files (files:write)."
		}
		return ""
	},
}
