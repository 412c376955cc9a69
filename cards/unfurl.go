package cards

import (
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Unfurl answers a message that names orders with their status. orders has at least one; message is the
// timestamp.
func Unfurl(orders []store.Tracked, message string, links Links) kit.Message {
	p := &kit.Page{}
	for _, t := range orders {
		p.Section(kit.Cut("*"+linkedName(t, links)+"* "+OrderCode(t)+"\n"+statusLine(t), maxRow), slack.NewAccessory(ShowButton(t)))
	}
	m := p.Message()
	m.Metadata = &slack.SlackMetadata{EventType: MetadataUnfurl, EventPayload: map[string]any{"message": message, "team": orders[0].Owner.Team}}
	return m
}

// statusLine describes an order's status. It mentions nobody, because the requester asked nothing.
func statusLine(t store.Tracked) string {
	n := imageCount(t)
	return kit.Dots(statusEmoji(t)+" "+statusText(t), laterRound(t.Order.Rev()), kit.OnlyIf(n > 0, kit.Count(n, "photo", "photos")),
		kit.Prefixed("expected ", Estimate(t.Order)), kit.WhenKnown(t.Order.EndedAt()))
}

// UnfurlOf returns the timestamp of the message that m answers, or "". Anybody may write such metadata, so
// trust it only on the app's own messages.
func UnfurlOf(m slack.Message) string { return kit.MetadataText(m, MetadataUnfurl, "message") }
