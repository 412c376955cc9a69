package answers

import (
	"context"

	"darkroom/cards/change"
	"darkroom/jobs/job"
	"darkroom/store"
)

// TypedChanges is the saved content of an open form for changes, with the time of the last edit on Slack's clock.
type TypedChanges struct {
	change.Changes
	TS       string `json:"ts,omitempty"`
	ChosenTS string `json:"chosen_ts,omitempty"` // time of the last click that redraws the form
}

// Submitted is the time of a submitted form. It sorts after every timestamp of Slack's clock: the form takes no more edits.
const Submitted = "submitted"

// Submitted reports whether the form was submitted.
func (c TypedChanges) Submitted() bool { return c.TS == Submitted }

// ChangesDoc names the document with the content of a form for changes.
func ChangesDoc(window string) string { return "changes:" + job.Hash(window) }

// ChangesIn returns the saved content of an open form for changes. It is zero without any.
func ChangesIn(ctx context.Context, from *store.DocumentStore, window string) (had TypedChanges, err error) {
	return had, from.GetIfThere(ctx, ChangesDoc(window), &had)
}
