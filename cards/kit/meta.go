package kit

import (
	"encoding/json"
	"time"
)

// Meta is a modal's private_metadata: the draft or order that the form is bound to.
type Meta struct {
	Draft    string `json:"draft,omitempty"`    // the draft that the form fills in
	Attempt  int    `json:"attempt,omitempty"`  // how often the draft was submitted
	Order    string `json:"order,omitempty"`    // the order that the form is about
	Revision int    `json:"revision,omitempty"` // the revision that the person saw
	Page     int    `json:"page,omitempty"`     // of a form of several pages, from 0
	Note     string `json:"note,omitempty"`     // the name of a saved document with more data
	Root     string `json:"root,omitempty"`     // external id of the window that this one was opened from
	Channel  string `json:"channel,omitempty"`  // where the form was opened
	More     bool   `json:"more,omitempty"`     // another page follows
	Pictures string `json:"pictures,omitempty"` // fingerprint of the images that were shown, or "none"

	Table   bool `json:"table,omitempty"`   // the form is for an order file
	Options bool `json:"options,omitempty"` // the form shows its less common fields

	Good  []string          `json:"good,omitempty"`  // edits that were ticked when the form opened
	Shown map[string]string `json:"shown,omitempty"` // initial values of the form, by field

	Opened    time.Time `json:"opened,omitzero"`   // when the draft was opened
	Photos    []string  `json:"photos,omitempty"`  // Slack file ids of the saved photos that the form shows
	UploadGen int       `json:"round,omitempty"`   // how often the upload field was emptied
	Credits   string    `json:"credits,omitempty"` // credits left, as the form shows them

	// Values of the draft that the form does not show. They save reading the draft.
	Team string `json:"team,omitempty"`
	From string `json:"from,omitempty"`
	Run  string `json:"run,omitempty"`
}

// DecodeMeta reads private_metadata. It returns the zero Meta for invalid JSON.
func DecodeMeta(privateMetadata string) Meta {
	var m Meta
	if json.Unmarshal([]byte(privateMetadata), &m) != nil {
		return Meta{}
	}
	return m
}

// Encode returns private_metadata, or "{}" if it would be too long.
func (m Meta) Encode() string {
	b, err := json.Marshal(m)
	if err != nil || len(b) > MaxMetadata {
		return "{}"
	}
	return string(b)
}
