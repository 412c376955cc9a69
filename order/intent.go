package order

import (
	"time"
)

// Verbs of an [Intent].
const (
	VerbApprove   = "approve"
	VerbCancel    = "cancel"
	VerbRevise    = "revise"
	VerbMessage   = "message"
	VerbReference = "reference"
)

// Intent is what somebody is about to do to an order. It is left on the order
// before the service is asked, so that whoever sees the change first knows
// whose it is.
type Intent struct {
	Verb     string              `json:"verb"`
	Actor    string              `json:"actor,omitempty"` // Slack user id
	Words    []string            `json:"words,omitempty"` // feedback, reason, message, or image URLs
	PerImage map[string][]string `json:"per_image,omitempty"`
	Revision int                 `json:"revision,omitempty"` // the one the person saw
	At       time.Time           `json:"at,omitzero"`
	Job      string              `json:"job,omitempty"` // only this job takes the intent back
	// Brings names what the service takes only once, however many jobs bring it: reference
	// images. It is one event.
	Brings string `json:"brings,omitempty"`

	// Answered says that the observation is the service's answer to this very
	// request, which proves it was carried out even when the answer does not
	// show it. It is never kept.
	Answered bool `json:"-"`
}

// explains says that an event fulfils the intent.
func (i *Intent) explains(e Event) bool {
	kinds := map[string]EventKind{
		VerbApprove: EventApproved, VerbCancel: EventCanceled, VerbRevise: EventChanges,
		VerbMessage: EventMessage, VerbReference: EventReferences,
	}
	return i != nil && e.Kind == kinds[i.Verb] && e.Actor == i.Actor && e.Job == i.Job
}
