// Package cards is what people see: every message, modal and sentence as a
// pure function of plain values, and a submitted modal decoded back into one.
//
// Everything a person, an editor or the service wrote passes through [Escape]
// or its plain-text twin on the way out, so nobody can make the app mention a
// channel, and whatever comes in, what goes out fits Slack's limits: text is
// cut at a character, never inside a link or an entity, and what was left out
// is said.
//
// Where to look: VERB.go is what a verb asks, its form and the form read back; the order form
// is new.go, new_presets.go, new_photos.go, new_images.go (its second step) and new_decode.go. change.go is
// what the forms of approve, revise and cancel share. progress.go has the windows that follow a
// form, new_told.go those of a new order, revise_told.go those that show requested changes;
// told.go is what a person is told whose window is gone. card.go and reply.go are what a channel
// sees, home.go, list.go and show.go what one person looks at, brief.go what was asked for, ops.go what the operations
// channel reads. sentence.go has the map from errors to words and the sentences about an order,
// whose {order} and the like [expand] fills in. builder.go and text.go keep Slack's limits.
//
// It knows no Slack client, no Redis and no clock. It decides nothing: which
// buttons may appear is the rule of their verbs ([order.Known.Offers]), who may
// press them is not its business.
package cards

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/order"
	"darkroom/store"
)

// Message is one post. Text is read by notifications and screen readers and
// holds the full meaning; Metadata is nil for private answers.
type Message struct {
	Text     string
	Blocks   []slack.Block
	Metadata *slack.SlackMetadata
}

// Plain is the same message without its blocks: the last resort when Slack
// rejects them. The metadata stays, so that the post is still found.
func Plain(m Message) Message {
	return Message{Text: m.Text, Metadata: m.Metadata}
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
	a := About{Order: metaText(payload["order_id"]), Event: metaText(payload["event"]), Team: TeamOf(m)}
	var err error
	a.Generation, err = strconv.Atoi(metaText(payload["generation"]))
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
func TeamOf(m slack.Message) string { return metaText(m.Metadata.EventPayload["team"]) }

// metaText is a value of metadata as text: a number comes back as another type.
func metaText(v any) string {
	switch v := v.(type) {
	case string, json.Number, int, int64:
		return fmt.Sprint(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// Callback ids of the modals that can be submitted.
const (
	CallbackNew       = "new"
	CallbackNewImages = "new_images" // the second step of the order form
	CallbackApprove   = "approve"
	CallbackSelect    = "approve_selected"
	CallbackRevise    = "revise"
	CallbackCancel    = "cancel"
	CallbackMessage   = "message"
	CallbackReference = "reference"
	CallbackMove      = "move"
	CallbackSettings  = "settings"
	CallbackPreset    = "preset"
	CallbackBatch     = "batch"
	CallbackThread    = "thread"

	CallbackConnect    = "connect"    // an account at the order service
	CallbackDisconnect = "disconnect" // and no longer
)

// Titles of the modals, for [Loading].
const (
	TitleNew       = "New photo order"
	TitleApprove   = "Approve order"
	TitleSelect    = "Approve orders"
	TitleRevise    = "Request changes"
	TitleCancel    = "Cancel order"
	TitleMessage   = "Message the editor"
	TitleReference = "Add reference images"
	TitleMove      = "Move order"
	TitleSettings  = "Channel settings"
	TitleShow      = "Photo order"
	TitlePreset    = "Save as preset"
	TitlePresets   = "Presets"
)

// Meta is what a modal remembers: the draft it fills in and at which attempt,
// or the order and the revision the person saw; in a form of several pages the page,
// from 0; and the note, a name under which the store keeps for a while what has no room here.
// Channel is where it was opened. The order
// form also remembers when its draft was opened, the kept photos that it shows, how often its
// upload field was emptied, and the credits.
type Meta struct {
	Draft    string `json:"draft,omitempty"`
	Attempt  int    `json:"attempt,omitempty"`
	Order    string `json:"order,omitempty"`
	Revision int    `json:"revision,omitempty"`
	Page     int    `json:"page,omitempty"`
	Note     string `json:"note,omitempty"`
	Channel  string `json:"channel,omitempty"`
	More     bool   `json:"more,omitempty"`     // another page follows
	Pictures string `json:"pictures,omitempty"` // which ones were shown: their fingerprint, or "none"

	Good  []string          `json:"good,omitempty"`  // edits whose ticks the form began with
	Shown map[string]string `json:"shown,omitempty"` // the answers that the form began with, by field

	Opened    time.Time `json:"opened,omitzero"`
	Photos    []string  `json:"photos,omitempty"` // ids of Slack's files
	UploadGen int       `json:"round,omitempty"`
	Credits   string    `json:"credits,omitempty"`

	// What a draft has that its form neither shows nor asks for, so that it need not be read.
	Team string `json:"team,omitempty"`
	From string `json:"from,omitempty"`
	Run  string `json:"run,omitempty"`
}

// DecodeMeta reads a view's private_metadata. Anything else than ours is the
// zero Meta.
func DecodeMeta(privateMetadata string) Meta {
	var m Meta
	if json.Unmarshal([]byte(privateMetadata), &m) != nil {
		return Meta{}
	}
	return m
}

func (m Meta) encode() string {
	b, err := json.Marshal(m)
	if err != nil || len(b) > maxMetadata {
		return "{}"
	}
	return string(b)
}

// Value is what a button carries: the order and the revision it was shown for.
func Value(order string, revision int) string {
	return order + ":r" + strconv.Itoa(revision)
}

// SeenValue is [Value] of a button beside pictures: it says which, too.
func SeenValue(t store.Tracked) string {
	return Value(t.ID, t.Order.Rev()) + led(".", order.Fingerprint(t.Order.EditedImages))
}

// ParseValue reads a button's value back. It is false for a value that is not ours.
func ParseValue(s string) (order string, revision int, ok bool) {
	i := strings.LastIndex(s, ":r")
	if i < 1 {
		return "", 0, false
	}
	digits, _, _ := strings.Cut(s[i+2:], ".")
	revision, err := strconv.Atoi(digits)
	if err != nil || revision < 0 {
		return "", 0, false
	}
	return s[:i], revision, true
}

// PicturesIn are the pictures beside which a button stood, as [SeenValue] wrote them; "" =
// it does not say.
func PicturesIn(s string) string {
	_, print, _ := strings.Cut(s[strings.LastIndex(s, ":r")+1:], ".")
	return print
}
