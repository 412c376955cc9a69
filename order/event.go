package order

import (
	"time"

	"github.com/shopspring/decimal"
)

// EventKind is the kind of an event.
type EventKind string

// The kinds of events.
const (
	EventPlaced     EventKind = "placed"
	EventReady      EventKind = "ready"      // a revision can be reviewed
	EventChanges    EventKind = "changes"    // a revision was requested
	EventMessage    EventKind = "message"    // our side wrote to the editor
	EventEditor     EventKind = "editor"     // the editor wrote
	EventReferences EventKind = "references" // reference images were added
	EventPaused     EventKind = "paused"
	EventResumed    EventKind = "resumed" // a pause ended, and no other event implies it
	EventApproved   EventKind = "approved"
	EventCanceled   EventKind = "canceled"
	EventMoved      EventKind = "moved"
	EventTracked    EventKind = "tracked" // a channel adopted an order made elsewhere
	EventUntracked  EventKind = "untracked"
	EventGone       EventKind = "gone"
	EventBack       EventKind = "back"     // an order that was gone exists again
	EventReminder   EventKind = "reminder" // the order has waited for somebody here for a while
	EventSnoozed    EventKind = "snoozed"  // a person postponed the next reminder; the reminder message shows it
	EventLate       EventKind = "late"     // the estimated delivery time has passed
	EventTaken      EventKind = "taken"    // a person took over the order of somebody who left
	EventCut        EventKind = "cut"      // the service sent more data than is kept; the ID says which
)

// Event is one thing that happened to an order. It is recorded once.
type Event struct {
	Seq      int64               `json:"-"`  // position among the order's events, from 1
	ID       string              `json:"id"` // unique in the order: "placed", "ready:r0", "message:HASH"
	Kind     EventKind           `json:"kind"`
	Actor    string              `json:"actor,omitempty"` // Slack user ID; "": the service, or a person outside the app
	Job      string              `json:"job,omitempty"`   // the job whose intent explains the event
	Words    []string            `json:"words,omitempty"`
	PerImage map[string][]string `json:"per_image,omitempty"`
	Good     []string            `json:"good,omitempty"`   // changes: IDs of good images, which Words do not concern
	Ticked   *DoneCount          `json:"ticked,omitempty"` // approved, changes: what the round before asked for; nil: nothing, or unknown
	Order    Order               `json:"order,omitzero"`   // as it was then; images only when ready, no conversation
	Credits  decimal.NullDecimal `json:"credits,omitzero"` // placed: the remaining balance
	At       time.Time           `json:"at"`
	Message  *SlackMessage       `json:"said,omitempty"`     // the Slack message that was sent
	Revision *int                `json:"revision,omitempty"` // message, editor: the revision of the text; nil: unknown
	Until    time.Time           `json:"until,omitzero"`     // snoozed: the earliest time of the next reminder
	For      string              `json:"-"`                  // editor: the addressee; the announcer sets it
	Called   bool                `json:"-"`                  // editor: the addressee was called to what the editor wrote just before; the announcer sets it
}

// SnoozeID returns the ID of the event that postpones the next reminder. A reminder can be snoozed once.
func SnoozeID(reminder string) string { return string(EventSnoozed) + ":" + reminder }

// Ends reports whether the order has no news after this event: it was approved, canceled or untracked.
func (e Event) Ends() bool {
	return e.Kind == EventApproved || e.Kind == EventCanceled || e.Kind == EventUntracked
}

// SlackMessage locates a Slack message that was sent to the editor unchanged.
type SlackMessage struct {
	Channel string `json:"channel"`
	TS      string `json:"ts"`
	Thread  string `json:"thread"` // the root of its thread
}

// The verbs of an [Intent].
const (
	VerbApprove   = "approve"
	VerbCancel    = "cancel"
	VerbRevise    = "revise"
	VerbMessage   = "message"
	VerbReference = "reference"
)

// Intent is what a person is about to do to an order. It is saved on the order before the request to the
// service, so that the first observer of the change knows whose it is.
type Intent struct {
	Verb     string              `json:"verb"`
	Actor    string              `json:"actor,omitempty"` // Slack user ID
	Words    []string            `json:"words,omitempty"` // feedback, reason, message, or image URLs
	PerImage map[string][]string `json:"per_image,omitempty"`
	Good     []string            `json:"good,omitempty"`     // revise: IDs of good images, which Words do not concern
	Ticked   *DoneCount          `json:"ticked,omitempty"`   // approve, revise: as in [Event]
	Revision int                 `json:"revision,omitempty"` // the revision that the person saw
	At       time.Time           `json:"at,omitzero"`
	Job      string              `json:"job,omitempty"` // only this job removes the intent
	// DedupKey identifies reference images, which the service accepts only once, across several jobs. They
	// make one event.
	DedupKey string        `json:"brings,omitempty"`
	Message  *SlackMessage `json:"said,omitempty"` // the Slack message that is sent

	// Answered says that the observed answer belongs to this very request. That proves the request was carried
	// out, even if the answer does not show it. It is never saved.
	Answered bool `json:"-"`
}

// explains reports whether the event fulfills the intent.
func (i *Intent) explains(e Event) bool {
	kinds := map[string]EventKind{
		VerbApprove: EventApproved, VerbCancel: EventCanceled, VerbRevise: EventChanges,
		VerbMessage: EventMessage, VerbReference: EventReferences,
	}
	return i != nil && e.Kind == kinds[i.Verb] && e.Actor == i.Actor && e.Job == i.Job
}
