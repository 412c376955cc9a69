// Package settings has the form of a channel's settings. Each setting is a part: what the form asks, how the
// answer is read, and the sentence that confirms it.
package settings

import (
	"cmp"
	"maps"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Slack ids and titles.
const (
	Callback = "settings"
	Title    = "Channel settings"
)

const fieldCredits = "credits"

// part is one part of the settings form.
type part struct {
	ask func(p *kit.Page, now store.Settings) // ask adds the part's inputs, filled in from now.
	// read applies the answer and returns problems by block id. It keeps values that the form did not ask for,
	// as forms of an early version.
	read    func(view slack.View, now *store.Settings) map[string]string
	confirm func(now store.Settings) string // confirms the saved value; "": nothing
}

// parts returns all parts in the form's order. groups are the user groups to choose from.
func parts(groups ...UserGroup) []part {
	return []part{
		relayPart, sheetsPart, finalsPart,
		approversPart, approverGroupsPart(groups), spendersPart, spenderGroupsPart(groups), limitsPart,
		unfurlPart, remindPart, latePart, digestPart, quietPart, zonePart,
	}
}

// Window returns the form with the current settings. Operators pass account to get the settings of all
// channels too. groups are the workspace's, nil if unknown.
func Window(channel string, now store.Settings, account *store.Account, externalID string, groups ...UserGroup) slack.ModalViewRequest {
	fields := formInputs(now, account, groups)
	p := kit.NewWindow("For every order of " + kit.ChannelLink(channel) + ":").Put(fields.Blocks...)
	return form(p, externalID, kit.Meta{Channel: channel, Shown: fields.Opening().Values()})
}

// formInputs returns the form's inputs, filled in.
func formInputs(now store.Settings, account *store.Account, groups []UserGroup) *kit.Page {
	p := &kit.Page{}
	for _, part := range parts(groups...) {
		part.ask(p, now)
	}
	if account != nil {
		p.Radio(fieldCredits, "Who reads the account's credits", "For all channels. Only operators see and change this.", string(account.Credits),
			kit.Option(string(store.CreditsMembers), "Every full member", "Guests and other organisations never."),
			kit.Option(string(store.CreditsOperators), "Operators only", ""))
		addLimit(p, fieldAllLimit, "Credits for a month, all channels", "An operator is asked before the orders of a month cost more. Canceled ones do not count. Only operators see and change this. Empty: no limit.", account.MonthLimit)
	}
	return p
}

func form(p *kit.Page, externalID string, meta kit.Meta) slack.ModalViewRequest {
	return p.Note("Changes count from now on. Every member of the channel can make them; guests cannot. Once approvers are named, only they and operators change who approves, who orders without asking, and the limits.").
		Form(Title, "Save", Callback, externalID, meta)
}

// DecodeAccount applies an operator's values for all channels. It keeps values that the form did not ask for.
func DecodeAccount(view slack.View, now store.Account) (chosen store.Account, problems map[string]string) {
	switch credits := store.Credits(kit.AnswerOf(view, fieldCredits).SelectedOption.Value); credits {
	case store.CreditsMembers, store.CreditsOperators:
		now.Credits = credits
	}
	problems = readLimit(view, fieldAllLimit, &now.MonthLimit)
	return now, problems
}

// Channel returns the channel of a submitted form, or "".
func Channel(view slack.View) string { return kit.DecodeMeta(view.PrivateMetadata).Channel }

// Decode applies a submitted form. It keeps values that the form did not ask for. problems are by block id.
func Decode(view slack.View, now store.Settings) (chosen store.Settings, problems map[string]string) {
	for _, part := range parts() {
		if wrong := part.read(view, &now); wrong != nil {
			if problems == nil {
				problems = map[string]string{}
			}
			maps.Copy(problems, wrong)
		}
	}
	return now, problems
}

// LostChannel returns a form error for a form without its channel.
func LostChannel(view slack.View) map[string]string {
	return kit.Beside(view, fieldRelay, "This window has lost its channel. Close it and type /order settings there again.")
}

// Saved confirms the settings.
func Saved(channel string, now store.Settings, externalID string) slack.ModalViewRequest {
	p := kit.NewPage(":white_check_mark: Saved. From now on, in " + kit.ChannelLink(channel) + ":")
	for _, part := range parts() {
		p.Say(part.confirm(now))
	}
	return p.Modal(Title, externalID, kit.Meta{Channel: channel})
}

// NeedChannel answers a command outside a channel.
const NeedChannel = "Settings belong to a channel. Type `/order settings` in the channel that they are for."

// addChoice adds a menu. The first option is chosen if chosen is not among them.
func addChoice(p *kit.Page, field, label, hint, chosen string, options []*slack.OptionBlockObject) {
	menu := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, kit.PlainText("Choose"), field, options...)
	menu.InitialOption = cmp.Or(kit.OptionOf(options, chosen), options[0])
	p.Put(kit.Field(kit.BlockID(field, 0, 0), label, hint, menu))
}
