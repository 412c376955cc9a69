package cards

import (
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Unfurl answers a message, whose timestamp that is, with how the orders stand that it names, one or more.
func Unfurl(orders []store.Tracked, message string, links Links) kit.Message {
	p := &kit.Page{}
	for _, t := range orders {
		p.Section(kit.Cut("*"+linkedName(t, links)+"* "+Said(t)+"\n"+standing(t), maxRow), slack.NewAccessory(ShowButton(t)))
	}
	m := p.Message()
	m.Metadata = &slack.SlackMetadata{EventType: MetadataUnfurl, EventPayload: map[string]any{"message": message, "team": orders[0].Owner.Team}}
	return m
}

// standing says how an order stands, and mentions nobody: who ordered it asked nothing.
func standing(t store.Tracked) string {
	n := imageCount(t)
	return kit.Dots(signal(t)+" "+standsAs(t), laterRound(t.Order.Rev()), kit.OnlyIf(n > 0, kit.Count(n, "image", "images")),
		kit.Prefixed("expected ", Estimate(t.Order)), kit.WhenKnown(t.Order.EndedAt()))
}

// UnfurlOf is the timestamp of the message that one of ours answers, "" when it is no such answer. Anybody may write
// such metadata: it counts only on a message of our own.
func UnfurlOf(m slack.Message) string {
	if m.Metadata.EventType != MetadataUnfurl {
		return ""
	}
	return kit.MetaText(m.Metadata.EventPayload["message"])
}
