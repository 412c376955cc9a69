package kit

import (
	"encoding/json"
	"time"
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

// Encode writes it as private_metadata.
func (m Meta) Encode() string {
	b, err := json.Marshal(m)
	if err != nil || len(b) > MaxMetadata {
		return "{}"
	}
	return string(b)
}
