package order

import (
	"time"

	"github.com/shopspring/decimal"
)

// EventKind is what kind of thing happened to an order.
type EventKind string

// The kinds of events.
const (
	EventPlaced     EventKind = "placed"
	EventReady      EventKind = "ready"      // a revision can be reviewed
	EventChanges    EventKind = "changes"    // a revision was asked for
	EventMessage    EventKind = "message"    // our side wrote to the editor
	EventEditor     EventKind = "editor"     // the editor wrote
	EventReferences EventKind = "references" // reference images were added
	EventPaused     EventKind = "paused"
	EventResumed    EventKind = "resumed" // a pause is over, and nothing else says so
	EventApproved   EventKind = "approved"
	EventCanceled   EventKind = "canceled"
	EventMoved      EventKind = "moved"
	EventTracked    EventKind = "tracked" // a channel took over an order made elsewhere
	EventUntracked  EventKind = "untracked"
	EventGone       EventKind = "gone"
	EventBack       EventKind = "back"     // the service knows again what was gone
	EventReminder   EventKind = "reminder" // it waits for somebody here, and has for a while
	EventSnoozed    EventKind = "snoozed"  // somebody put the next reminder off; told by the reminder itself
	EventLate       EventKind = "late"     // the estimate of its delivery has passed
	EventTaken      EventKind = "taken"    // who asked for it had left, and somebody took it over
	EventCut        EventKind = "cut"      // the service sent more than is kept: its id says of what
)

// Event is one thing that happened to an order, once.
type Event struct {
	Seq      int64               `json:"-"`  // its place among the order's events, from 1
	ID       string              `json:"id"` // unique per order: "placed", "ready:r0", "message:HASH"
	Kind     EventKind           `json:"kind"`
	Actor    string              `json:"actor,omitempty"` // Slack user id; "": elsewhere, or the service
	Job      string              `json:"job,omitempty"`   // the job whose intent explains it
	Words    []string            `json:"words,omitempty"`
	PerImage map[string][]string `json:"per_image,omitempty"`
	Good     []string            `json:"good,omitempty"`   // changes: ids of images that are good, so that Words are not for them
	Order    Order               `json:"order,omitzero"`   // as it was then; pictures only when ready, no conversation
	Credits  decimal.NullDecimal `json:"credits,omitzero"` // placed: what remains
	At       time.Time           `json:"at"`
	Said     *Said               `json:"said,omitempty"`     // a message that was written in Slack before it was sent
	Revision *int                `json:"revision,omitempty"` // message, editor: the one that the words belong to; nil: not told
	Until    time.Time           `json:"until,omitzero"`     // snoozed: when the next reminder may come
	For      string              `json:"-"`                  // the editor's words: whom they are for, set by who announces them
}

// SnoozeID is the id of the event that the reminder after that one was put off: once.
func SnoozeID(reminder string) string { return string(EventSnoozed) + ":" + reminder }

// Ends says that there is no news of the order after it: it was approved or canceled, or no channel has it any more.
func (e Event) Ends() bool {
	return e.Kind == EventApproved || e.Kind == EventCanceled || e.Kind == EventUntracked
}

// Said is where a message stands in Slack that was sent to the editor as it is.
type Said struct {
	Channel string `json:"channel"`
	TS      string `json:"ts"`
	Thread  string `json:"thread"` // the root of its thread
}

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
	Good     []string            `json:"good,omitempty"`     // revise: ids of images that are good, so that Words are not for them
	Revision int                 `json:"revision,omitempty"` // the one the person saw
	At       time.Time           `json:"at,omitzero"`
	Job      string              `json:"job,omitempty"` // only this job takes the intent back
	// DedupKey names what the service takes only once, however many jobs bring it: reference
	// images. It is one event.
	DedupKey string `json:"brings,omitempty"`
	Said     *Said  `json:"said,omitempty"` // where the message stands that is sent

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
