package cards

import (
	"net/url"
	"slices"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Links builds permalinks without asking Slack. Its value is the workspace URL from auth.test:
// "https://acme.slack.com/". An empty value builds no links.
type Links string

// Message returns a message's permalink as chat.getPermalink does, or "". thread is the parent of a reply, ""
// outside threads (docs.slack.dev/reference/methods/chat.getPermalink).
func (l Links) Message(channel, ts, thread string) string {
	base := strings.TrimSuffix(string(l), "/")
	if !order.WebAddress(base) || !kit.IsChannel(channel) || ts == "" {
		return ""
	}
	address := base + "/archives/" + channel + "/p" + strings.ReplaceAll(ts, ".", "")
	return address + kit.OnlyIf(thread != "" && thread != ts, "?thread_ts="+url.QueryEscape(thread)+"&cid="+channel)
}

// Card returns the URL of an order's card, or "" without a card. A card that is older than its thread was in another one.
func (l Links) Card(t store.Tracked) string {
	return l.Message(t.Owner.Channel, t.CardTS, kit.OnlyIf(t.CardTS > t.Root, t.Root))
}

// WithLink ends a message with a link to an order's card.
func WithLink(m kit.Message, card string) kit.Message {
	words := kit.Link(card, "Open order card")
	m.Text = kit.Cut(m.Text, kit.MaxFallback-len(words)-1) + "\n" + words
	if n := len(m.Blocks); n > 0 && n < kit.MaxBlocks {
		m.Blocks = append(slices.Clip(m.Blocks), slack.NewContextBlock("", kit.Mrkdwn(words)))
	}
	return m
}
