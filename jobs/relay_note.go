package jobs

import (
	"context"
	"time"
)

// relayed is what is remembered of a message in Slack that was to reach an editor.
type relayed struct {
	Order     string `json:"order"`
	Author    string `json:"author"`        // whose message it is
	Raw       string `json:"raw,omitempty"` // in Slack's markup, as it was seen last
	Text      string `json:"text"`          // the plain words that the editor has
	Delivered bool   `json:"delivered,omitempty"`
	Deleted   bool   `json:"deleted,omitempty"`
}

// relayLife is how long an edit of a relayed message is noticed.
const relayLife = 90 * 24 * time.Hour

// relayNote names the note of a message.
func relayNote(team, channel, ts string) string { return "relay:" + team + ":" + channel + ":" + ts }

// relayedAs reads that note; the zero value without one.
func (j *Talk) relayedAs(ctx context.Context, name string) (was relayed, err error) {
	err = j.store.Documents.GetIfThere(ctx, name, &was)
	return was, err
}
