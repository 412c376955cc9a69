package cards

import (
	"darkroom/store"

	"github.com/slack-go/slack"
)

// MetadataUnfurl marks an answer to a message that names orders; its payload holds the message's timestamp, and team.
const MetadataUnfurl = "darkroom_unfurl"

// Unfurl answers a message, whose timestamp that is, with how the orders stand that it names, one or more.
func Unfurl(orders []store.Tracked, message string, links Links) Message {
	p := &builder{}
	for _, t := range orders {
		p.section(cut("*"+linkedName(t, links)+"* "+said(t)+"\n"+standing(t), maxRow), slack.NewAccessory(showButton(t)))
	}
	m := p.message()
	m.Metadata = &slack.SlackMetadata{EventType: MetadataUnfurl, EventPayload: map[string]any{"message": message, "team": orders[0].Owner.Team}}
	return m
}

// standing says how an order stands, and mentions nobody: who ordered it asked nothing.
func standing(t store.Tracked) string {
	n := imageCount(t)
	return dots(signal(t)+" "+standsAs(t), laterRound(t.Order.Rev()), onlyIf(n > 0, count(n, "image", "images")),
		led("expected ", estimate(t.Order)), whenKnown(t.Order.EndedAt()))
}

// UnfurlOf is the timestamp of the message that one of ours answers, "" when it is no such answer. Anybody may write
// such metadata: it counts only on a message of our own.
func UnfurlOf(m slack.Message) string {
	if m.Metadata.EventType != MetadataUnfurl {
		return ""
	}
	return metaText(m.Metadata.EventPayload["message"])
}
