package settings

import (
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldRelay = "relay"

// relayPart says which thread replies reach the editor.
var relayPart = part{
	ask: func(p *kit.Page, now store.Settings) {
		p.Radio(fieldRelay, "What reaches the editor", "", string(now.Relay),
			kit.Option(string(store.RelayMentions), "Only what is sent on purpose", "By mention, Send to editor, Message the editor or /order message."),
			kit.Option(string(store.RelayReplies), "Every reply in an order's thread", "Begin a reply with // to keep it in Slack."))
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		if !kit.Asks(view, fieldRelay) {
			return nil
		}
		switch chosen := store.Relay(kit.AnswerOf(view, fieldRelay).SelectedOption.Value); chosen {
		case store.RelayMentions, store.RelayReplies:
			now.Relay = chosen
			return nil
		}
		return Lost(view)
	},
	confirm: func(now store.Settings) string {
		if now.Relay == store.RelayReplies {
			return "Every reply in an order's thread goes to its editor. A reply that begins with `//` stays in Slack, and so does what guests and other organisations write."
		}
		return "Only what is sent on purpose reaches the editor: a mention of me, *Send to editor*, *Message the editor* or `/order message`. All other talk stays in Slack."
	},
}
