package cards

import (
	"cmp"

	"darkroom/store"

	"github.com/slack-go/slack"
)

const (
	fieldRelay   = "relay"
	fieldCredits = "credits"
)

// Settings is the form of a channel's settings, as they are now; for operators, who give
// their account, also of those that hold in all channels.
func Settings(channel string, now store.Settings, account *store.Account, externalID string) slack.ModalViewRequest {
	p := says("For every order of " + channelLink(channel) + ":")
	p.radio(fieldRelay, "What reaches the editor", "", string(now.Relay),
		slack.NewOptionBlockObject(string(store.RelayMentions), plainText("Only what is sent on purpose"),
			plainText("By mention, Send to editor, Message the editor or /order message.")),
		slack.NewOptionBlockObject(string(store.RelayReplies), plainText("Every reply in an order's thread"),
			plainText("Begin a reply with // to keep it in Slack.")))
	if account != nil {
		p.radio(fieldCredits, "Who reads the account's credits", "For all channels. Only operators see and change this.", string(account.Credits),
			slack.NewOptionBlockObject(string(store.CreditsMembers), plainText("Every full member"), plainText("Guests and other organisations never.")),
			slack.NewOptionBlockObject(string(store.CreditsOperators), plainText("Operators only"), nil))
	}
	return p.note("It holds from now on. Every member of the channel can change it; guests cannot.").
		form(TitleSettings, "Save", CallbackSettings, externalID, Meta{Channel: channel})
}

// radio lets one of the options be chosen: the first, while none of them was.
func (p *builder) radio(field, label, hint, chosen string, options ...*slack.OptionBlockObject) {
	choose := slack.NewRadioButtonsBlockElement(field, options...)
	choose.InitialOption = cmp.Or(optionOf(options, chosen), options[0])
	p.put(ask(blockID(field, 0, 0), label, hint, choose))
}

// DecodeAccount reads what an operator chose for all channels, nil when the form did not ask.
func DecodeAccount(view slack.View) *store.Account {
	switch chosen := store.Credits(fieldOf(view, fieldCredits).SelectedOption.Value); chosen {
	case store.CreditsMembers, store.CreditsOperators:
		return &store.Account{Credits: chosen}
	}
	return nil
}

// DecodeSettings reads the submitted form. It is false for one that has lost its channel
// or holds no setting we know.
func DecodeSettings(view slack.View) (channel string, chosen store.Settings, ok bool) {
	channel = DecodeMeta(view.PrivateMetadata).Channel
	chosen.Relay = store.Relay(fieldOf(view, fieldRelay).SelectedOption.Value)
	known := chosen.Relay == store.RelayMentions || chosen.Relay == store.RelayReplies
	return channel, chosen, known && channel != ""
}

// SettingsLost puts a sentence beside the setting of a form that cannot be read.
func SettingsLost(view slack.View) map[string]string {
	return beside(view, fieldRelay, "This window has lost its channel. Close it and type /order settings there again.")
}

// SettingsSaved confirms what holds from now on.
func SettingsSaved(channel string, now store.Settings, externalID string) slack.ModalViewRequest {
	holds := "only what is sent on purpose reaches the editor: a mention of me, *Send to editor*, *Message the editor* or `/order message`. All other talk stays in Slack."
	if now.Relay == store.RelayReplies {
		holds = "every reply in an order's thread goes to its editor. A reply that begins with `//` stays in Slack."
	}
	return says(":white_check_mark: Saved. In "+channelLink(channel)+" "+holds).
		modal(TitleSettings, externalID, Meta{Channel: channel})
}

// SettingsNeedChannel answers where there is no channel to set anything for.
const SettingsNeedChannel = "Settings belong to a channel. Type `/order settings` in the channel that they are for."
