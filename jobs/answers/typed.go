package answers

import (
	"context"
	"fmt"
	"time"

	"darkroom/bot"
	"darkroom/cards/change"
	"darkroom/jobs/job"
)

// Typed is the content of an order's form that was not sent, or was returned.
type Typed struct {
	TS      string         `json:"ts,omitempty"` // when it was typed, by Slack's clock; older content does not replace it
	At      time.Time      `json:"at"`
	Words   string         `json:"words,omitempty"`
	Changes change.Changes `json:"changes,omitzero"` // of the revise form
	Album   Album          `json:"album,omitzero"`   // of the form for reference images
}

// Empty reports whether nothing was typed.
func (k Typed) Empty() bool { return k.Words == "" && k.Changes.Empty() && k.Album.Empty() }

// TypedDoc names the document with a form's content; form is its [cards.SavedKey].
func TypedDoc(team, user, form string) string { return "typed:" + job.Hash(team+" "+user+" "+form) }

// SaveReturned saves the content of a returned form, for when it is closed and opened again. It does not replace what
// the person has typed since.
func (j *Forms) SaveReturned(ctx context.Context, a Asker, form string, typed Typed) error {
	if a.View == "" || typed.Empty() { // it came from a line
		return nil
	}
	note := TypedDoc(a.Team, a.User, form)
	var had Typed
	if err := j.Documents.GetIfThere(ctx, note, &had); err != nil || !had.Empty() {
		return err
	}
	typed.TS, typed.At = had.TS, a.At
	return j.Documents.PutPersonal(ctx, a.User, note, typed, TypedLife)
}

// RequestTS returns the time of a request on Slack's clock, or the current time in the same form.
func RequestTS(r bot.Request) string {
	if r.ActionTS != "" {
		return r.ActionTS
	}
	now := time.Now()
	return fmt.Sprintf("%d.%06d", now.Unix(), now.Nanosecond()/1000)
}
