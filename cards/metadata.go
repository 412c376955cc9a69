package cards

import (
	"strconv"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// post returns a message with the metadata by which the announcer finds it.
func post(p *kit.Page, t store.Tracked, event string) kit.Message {
	m := p.Message()
	m.Metadata = &slack.SlackMetadata{
		EventType:    MetadataType,
		EventPayload: map[string]any{"order_id": t.ID, "event": event, "generation": t.Owner.Generation, "team": t.Owner.Team},
	}
	return m
}

// MetadataType marks posts about an order. The payload holds order_id, event (an event's id or CardEvent),
// generation and team. It holds no text that people wrote.
const (
	MetadataType = "darkroom_order"
	CardEvent    = "card"
)

// MetadataTypes are the types of our channel posts, which the app asks Slack to report.
func MetadataTypes() []string {
	return []string{MetadataType, MetadataDigest, HoldMetadata, MetadataUnfurl, MetadataBatch, MetadataDeliveries, MetadataSettings}
}

// About is the order metadata of a message. Anybody may write such metadata, so trust it only on the app's own
// messages.
type About struct {
	Order      string
	Event      string // an event's id, or CardEvent
	Generation int
	Team       string // tells apart equal order ids of two workspaces that share a channel; "": unknown
}

// AboutOf reads the metadata. It returns false if the metadata is incomplete or of another type.
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

// Is reports whether a message carries this metadata. A missing team matches any team.
func (a About) Is(m slack.Message) bool {
	about, ok := AboutOf(m)
	if about.Team == "" || a.Team == "" {
		about.Team, a.Team = "", ""
	}
	return ok && about == a
}

// TeamOf returns the workspace in a message's metadata. Messages of early versions have "".
func TeamOf(m slack.Message) string { return kit.MetaText(m.Metadata.EventPayload["team"]) }

// MetadataDigest marks a channel's digest. Its payload holds the day.
const MetadataDigest = "darkroom_digest"

// HoldMetadata marks a question to approvers. Its payload holds the question's name.
const HoldMetadata = "darkroom_hold"

// MetadataBatch marks the card of a batch, MetadataDeliveries a message about a batch's deliveries. Their payloads hold
// the batch's id and the team; that of deliveries also the number of the message.
const (
	MetadataBatch      = "darkroom_batch_card"
	MetadataDeliveries = "darkroom_deliveries"
)

// MetadataAnswer marks a direct message that answers a request. Its payload holds the answer's id.
const MetadataAnswer = "darkroom_told"

// AnswerMetadata returns the metadata of an answer.
func AnswerMetadata(id string) *slack.SlackMetadata {
	return &slack.SlackMetadata{EventType: MetadataAnswer, EventPayload: map[string]any{"answer": id}}
}

// AnswerIDOf returns the answer id of a message, or "". Anybody may write such metadata.
func AnswerIDOf(m slack.Message) string { return kit.MetadataText(m, MetadataAnswer, "answer") }

// MetadataSettings marks a message that says what somebody changed in a channel's settings. Its payload holds the edit.
const MetadataSettings = "darkroom_settings"

// MetadataUnfurl marks an answer to a message that names orders. Its payload holds that message's timestamp,
// and the team.
const MetadataUnfurl = "darkroom_unfurl"
