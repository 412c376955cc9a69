package cards

import (
	"cmp"
	"maps"

	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldCredits = "credits"

// settingsPart is one part of a channel's settings, in a file of its own: what the form asks, what
// was answered, and the sentence that says what holds once it is saved.
type settingsPart struct {
	ask func(p *builder, now store.Settings)
	// read puts what was answered in place of what held. It leaves alone what the form did not ask,
	// as one that was open while the app was upgraded, and returns what is wrong, by block id.
	read func(view slack.View, now *store.Settings) map[string]string
	says func(now store.Settings) string // "" says nothing
}

// settingsParts are all of them, in the order in which the form asks; groups are the user groups that it offers.
func settingsParts(groups ...UserGroup) []settingsPart {
	return []settingsPart{
		relaySettings, sheetsSettings, finalSettings,
		approverSettings, approverGroupSettings(groups), spenderSettings, spenderGroupSettings(groups), limitSettings,
		unfurlSettings, remindSettings, lateSettings, digestSettings, quietSettings, zoneSettings,
	}
}

// Settings is the form of a channel's settings, as they are now; for operators, who give
// their account, also of those that hold in all channels. groups are the workspace's, none where they cannot be read.
func Settings(channel string, now store.Settings, account *store.Account, externalID string, groups ...UserGroup) slack.ModalViewRequest {
	fields := settingsAsked(now, account, groups)
	p := window("For every order of " + channelLink(channel) + ":").put(fields.blocks...)
	return settingsForm(p, externalID, Meta{Channel: channel, Shown: fields.opening().values()})
}

// settingsAsked are the fields of the form, filled in with what holds.
func settingsAsked(now store.Settings, account *store.Account, groups []UserGroup) *builder {
	p := &builder{}
	for _, part := range settingsParts(groups...) {
		part.ask(p, now)
	}
	if account != nil {
		p.radio(fieldCredits, "Who reads the account's credits", "For all channels. Only operators see and change this.", string(account.Credits),
			slack.NewOptionBlockObject(string(store.CreditsMembers), plainText("Every full member"), plainText("Guests and other organisations never.")),
			slack.NewOptionBlockObject(string(store.CreditsOperators), plainText("Operators only"), nil))
		p.limit(fieldAllLimit, "Credits for a month, all channels", "An operator is asked before the orders of a month cost more. Canceled ones do not count. Only operators see and change this. Empty: no limit.", account.MonthLimit)
	}
	return p
}

func settingsForm(p *builder, externalID string, meta Meta) slack.ModalViewRequest {
	return p.note("Changes count from now on. Every member of the channel can make them; guests cannot. Once approvers are named, only they and operators change who approves, who orders without asking, and the limits.").
		form(TitleSettings, "Save", CallbackSettings, externalID, meta)
}

// radio lets one of the options be chosen: the first, while none of them was.
func (p *builder) radio(field, label, hint, chosen string, options ...*slack.OptionBlockObject) {
	choose := slack.NewRadioButtonsBlockElement(field, options...)
	choose.InitialOption = cmp.Or(optionOf(options, chosen), options[0])
	p.put(ask(blockID(field, 0, 0), label, hint, choose))
}

// DecodeAccount reads what an operator chose for all channels over what holds now: what the form did not ask stays as it is.
func DecodeAccount(view slack.View, now store.Account) (chosen store.Account, problems map[string]string) {
	switch credits := store.Credits(fieldOf(view, fieldCredits).SelectedOption.Value); credits {
	case store.CreditsMembers, store.CreditsOperators:
		now.Credits = credits
	}
	problems = readLimit(view, fieldAllLimit, &now.MonthLimit)
	return now, problems
}

// SettingsChannel is whose settings a submitted form holds; "" for one that has lost its channel.
func SettingsChannel(view slack.View) string { return DecodeMeta(view.PrivateMetadata).Channel }

// DecodeSettings reads the submitted form over what holds now: what it did not ask stays as it is.
// problems are sentences by block id, for answers that cannot be kept.
func DecodeSettings(view slack.View, now store.Settings) (chosen store.Settings, problems map[string]string) {
	for _, part := range settingsParts() {
		if wrong := part.read(view, &now); wrong != nil {
			if problems == nil {
				problems = map[string]string{}
			}
			maps.Copy(problems, wrong)
		}
	}
	return now, problems
}

// SettingsLost puts a sentence beside the setting of a form that cannot be read.
func SettingsLost(view slack.View) map[string]string {
	return beside(view, fieldRelay, "This window has lost its channel. Close it and type /order settings there again.")
}

// SettingsSaved confirms what holds from now on.
func SettingsSaved(channel string, now store.Settings, externalID string) slack.ModalViewRequest {
	p := says(":white_check_mark: Saved. From now on, in " + channelLink(channel) + ":")
	for _, part := range settingsParts() {
		p.say(part.says(now))
	}
	return p.modal(TitleSettings, externalID, Meta{Channel: channel})
}

// SettingsNeedChannel answers where there is no channel to set anything for.
const SettingsNeedChannel = "Settings belong to a channel. Type `/order settings` in the channel that they are for."
