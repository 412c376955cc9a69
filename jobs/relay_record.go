package jobs

import (
	"context"
	"time"
)

// relayRecord is the saved record of a message in Slack for an editor.
type relayRecord struct {
	Order     string `json:"order"`
	Author    string `json:"author"`        // user who wrote the message
	Raw       string `json:"raw,omitempty"` // newest text, in Slack's markup
	Text      string `json:"text"`          // plain text that the editor has
	Delivered bool   `json:"delivered,omitempty"`
	Deleted   bool   `json:"deleted,omitempty"`
	First     bool   `json:"first,omitempty"` // its writer may take it back: see [Talk.TakeBack]
}

// relayLife is how long an edit of a relayed message is noticed.
const relayLife = 90 * 24 * time.Hour

// relayDoc names the record of a message.
func relayDoc(team, channel, ts string) string { return "relay:" + team + ":" + channel + ":" + ts }

// readRelay reads the record of this name; the zero value if it is absent.
func (j *Talk) readRelay(ctx context.Context, name string) (was relayRecord, err error) {
	err = j.store.Documents.GetIfThere(ctx, name, &was)
	return was, err
}
