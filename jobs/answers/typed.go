package answers

import (
	"context"
	"time"

	"darkroom/cards/change"
	"darkroom/jobs/job"
)

// Typed is what somebody typed into a form of an order and did not send, or got back.
type Typed struct {
	TS      string         `json:"ts,omitempty"` // when it was typed, by Slack's clock: what was typed before and comes later changes nothing
	At      time.Time      `json:"at"`
	Words   string         `json:"words,omitempty"`
	Changes change.Changes `json:"changes,omitzero"` // of the revise form
	Album   Album          `json:"album,omitzero"`   // of the form for reference images
}

// Empty tells that nothing is kept.
func (k Typed) Empty() bool { return k.Words == "" && k.Changes.Empty() && k.Album.Empty() }

// TypedNote is where it is kept; form is what [cards.SavedKey] says of it.
func TypedNote(team, user, form string) string { return "typed:" + job.Hash(team+" "+user+" "+form) }

// KeepReturned keeps what is given back in a form: it is there when that window is closed and the form
// opened again. What its person has typed since stays.
func (j *Forms) KeepReturned(ctx context.Context, a Asker, form string, typed Typed) error {
	if a.View == "" || typed.Empty() { // it came from a line
		return nil
	}
	note := TypedNote(a.Team, a.User, form)
	var had Typed
	if err := j.Documents.GetIfThere(ctx, note, &had); err != nil || !had.Empty() {
		return err
	}
	typed.TS, typed.At = had.TS, a.At
	return j.Documents.PutPersonal(ctx, a.User, note, typed, TypedLife)
}
