package settings

import (
	"cmp"
	"slices"

	"darkroom/cards/kit"
	"darkroom/cards/requirements"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// chosenOff is the value of the option that switches something off.
const chosenOff = "off"

// notOffered is the problem of a value that a menu does not have.
const notOffered = "I do not know this choice. Choose another one."

const fieldTicks = "threads"

// tick is a setting that is on or off.
type tick struct {
	value, label string
	setting      func(now *store.Settings) *bool
	on, off      string // sentences for the overview
}

// ticks returns the settings with a checkbox.
func ticks() []tick {
	return []tick{
		{
			"finals", "Upload final photos", func(now *store.Settings) *bool { return &now.FinalImages },
			"Final photos are uploaded.", "Final photos are links.",
		},
		{"late", "Say when an order is late", func(now *store.Settings) *bool { return &now.SayLate }, "Late orders say so.", ""},
		{
			"unfurl", "Answer codes such as [K7Q2XM]", func(now *store.Settings) *bool { return &now.Unfurl },
			"Order codes in messages are answered.", "",
		},
	}
}

// ticksSetting are the settings with a checkbox, as one input.
var ticksSetting = setting{
	ask: func(p *kit.Page, now Values) {
		options := kit.Map(ticks(), func(_ int, t tick) *slack.OptionBlockObject { return kit.Option(t.value, t.label, "") })
		ticked := kit.Map(ticks(), func(_ int, t tick) string { return kit.OnlyIf(*t.setting(&now.Settings), t.value) })
		p.Put(kit.Field(kit.BlockID(fieldTicks, 0, 0), "Threads", "", kit.Checkboxes(fieldTicks, options, ticked...)).WithOptional(true))
	},
	read: func(view slack.View, now *Values) map[string]string {
		for _, answer := range kit.AnswersOf(view, fieldTicks) {
			chosen := kit.ChosenIn(answer.BlockAction)
			for _, t := range ticks() {
				*t.setting(&now.Settings) = slices.Contains(chosen, t.value)
			}
		}
		return nil
	},
	says: func(now Values) string {
		return kit.Join(" ", kit.Map(ticks(), func(_ int, t tick) string { return kit.Either(*t.setting(&now.Settings), t.on, t.off) })...)
	},
}

// radio is a setting with a few choices; the first is the default.
type radio struct {
	field, label, hint string
	setting            func(now *Values) *string
	choices            []choice
}

// choice is a value with its words in the form and in the overview.
type choice struct{ value, label, description, says string }

func (c radio) settings() setting {
	return setting{
		ask: func(p *kit.Page, now Values) {
			p.Radio(c.field, c.label, c.hint, *c.setting(&now), kit.Map(c.choices, func(_ int, o choice) *slack.OptionBlockObject {
				return kit.Option(o.value, o.label, o.description)
			})...)
		},
		read: func(view slack.View, now *Values) map[string]string {
			if !kit.HasField(view, c.field) {
				return nil
			}
			chosen := kit.AnswerOf(view, c.field).SelectedOption.Value
			if !slices.ContainsFunc(c.choices, func(o choice) bool { return o.value == chosen }) {
				return kit.Beside(view, c.field, notOffered)
			}
			*c.setting(now) = chosen
			return nil
		},
		says: func(now Values) string {
			chosen := slices.IndexFunc(c.choices, func(o choice) bool { return o.value == *c.setting(&now) })
			return c.choices[max(0, chosen)].says
		},
	}
}

const fieldRelay = "relay"

// relaySetting says which thread replies reach the editor.
var relaySetting = radio{
	field: fieldRelay, label: "What reaches the editor",
	setting: func(now *Values) *string { return (*string)(&now.Relay) },
	choices: []choice{
		{string(store.RelayMentions), "Only what is sent on purpose", "By mention, button or command.", "The editor gets only what is sent on purpose."},
		{string(store.RelayReplies), "Every reply in an order's thread", "Begin a reply with // to keep it in Slack.", "Every reply in an order's thread goes to the editor."},
	},
}.settings()

// newsSetting says where the news of orders appears.
var newsSetting = radio{
	field: "news", label: "News",
	setting: func(now *Values) *string { return (*string)(&now.News) },
	choices: []choice{
		{string(store.NewsChannel), "In the channel", "", "Updates appear in the channel."},
		{string(store.NewsThread), "In the thread only", "", "Updates stay in the thread."},
		{string(store.NewsDirect), "By direct message to who ordered", "", "Updates come by direct message to the requester."},
	},
}.settings()

// sheetsSetting says which reviews get a contact sheet.
var sheetsSetting = radio{
	field: "contact-sheets", label: "Contact sheets", hint: "The original, the last round and this round side by side. From round 2 on, only photos with requested changes.",
	setting: func(now *Values) *string { return (*string)(&now.Sheets) },
	choices: []choice{
		{string(store.SheetsLater), "From round 2 on", "", "Reviews have a contact sheet from round 2 on."},
		{string(store.SheetsEvery), "Every round", "", "Every round has a contact sheet."},
		{string(store.SheetsOff), "Never", "", "No contact sheets."},
	},
}.settings()

const fieldCredits = "credits"

// creditsSetting says who reads the account's credits.
var creditsSetting = radio{
	field: fieldCredits, label: "Who sees the account's credits",
	setting: func(now *Values) *string { return (*string)(&now.Account.Credits) },
	choices: []choice{
		{string(store.CreditsMembers), "Every full member", "", "Every full member sees the account's credits."},
		{string(store.CreditsOperators), "Operators only", "", "Only operators see the account's credits."},
	},
}.settings()

// photosSetting says what delivered photos must be.
var photosSetting = setting{
	ask:  func(p *kit.Page, now Values) { requirements.Ask(p, now.Requires) },
	read: func(view slack.View, now *Values) map[string]string { return requirements.Read(view, &now.Requires) },
	says: func(now Values) string {
		return cmp.Or(requirements.Says(now.Requires), "No rules for size, format or color.")
	},
}
