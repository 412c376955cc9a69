package cards

import (
	"strconv"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// post is the message with the marker by which the announcer finds it again.
func post(p *kit.Page, t store.Tracked, event string) kit.Message {
	m := p.Message()
	m.Metadata = &slack.SlackMetadata{
		EventType:    MetadataType,
		EventPayload: map[string]any{"order_id": t.ID, "event": event, "generation": t.Owner.Generation, "team": t.Owner.Team},
	}
	return m
}

// MetadataType marks our posts. The payload holds order_id, event (an event's
// id, or CardEvent), generation and team, and nothing that people wrote.
const (
	MetadataType = "darkroom_order"
	CardEvent    = "card"
)

// MetadataTypes are those of our posts in channels, of which Slack is asked to tell.
func MetadataTypes() []string {
	return []string{MetadataType, MetadataDigest, HoldMetadata, MetadataUnfurl}
}

// About is what a message says in its metadata of the order it belongs to. Anybody may
// write such metadata: it counts only on a message of our own.
type About struct {
	Order      string
	Event      string // an event's id, or CardEvent
	Generation int
	Team       string // whose order it is: two workspaces of an organisation may share a channel, and have equal ids; "": it does not say
}

// AboutOf reads it; false when there is none of ours, or it is not whole.
func AboutOf(m slack.Message) (About, bool) {
	if m.Metadata.EventType != MetadataType {
		return About{}, false
	}
	payload := m.Metadata.EventPayload
	a := About{Order: kit.MetaText(payload["order_id"]), Event: kit.MetaText(payload["event"]), Team: TeamOf(m)}
	var err error
	a.Generation, err = strconv.Atoi(kit.MetaText(payload["generation"]))
	return a, err == nil && a.Order != "" && a.Event != ""
}

// Is says that a message says so of itself. One that does not say whose order it is may be anybody's.
func (a About) Is(m slack.Message) bool {
	about, ok := AboutOf(m)
	if about.Team == "" || a.Team == "" {
		about.Team, a.Team = "", ""
	}
	return ok && about == a
}

// TeamOf is the workspace whose orders a message of ours is about; "": it does not say, as those of before.
func TeamOf(m slack.Message) string { return kit.MetaText(m.Metadata.EventPayload["team"]) }

// MetadataDigest marks a channel's digest; its payload holds the day.
const MetadataDigest = "darkroom_digest"

// HoldMetadata marks a question to approvers; the payload holds its name.
const HoldMetadata = "darkroom_hold"

// MetadataTold marks a direct message that answers what a person asked; its payload holds which answer it is.
const MetadataTold = "darkroom_told"

// ToldMetadata marks the message of the answer with that id.
func ToldMetadata(id string) *slack.SlackMetadata {
	return &slack.SlackMetadata{EventType: MetadataTold, EventPayload: map[string]any{"answer": id}}
}

// ToldOf is the id of the answer that a message holds, "" when it holds none. Anybody may write such metadata.
func ToldOf(m slack.Message) string {
	if m.Metadata.EventType != MetadataTold {
		return ""
	}
	return kit.MetaText(m.Metadata.EventPayload["answer"])
}

// MetadataUnfurl marks an answer to a message that names orders; its payload holds the message's timestamp, and team.
const MetadataUnfurl = "darkroom_unfurl"
