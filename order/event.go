package order

import (
	"time"

	"github.com/shopspring/decimal"
)

// EventKind is what kind of thing happened to an order.
type EventKind string

// The kinds of events. A resumed order is told by its card alone.
const (
	EventPlaced     EventKind = "placed"
	EventReady      EventKind = "ready"      // a revision can be reviewed
	EventChanges    EventKind = "changes"    // a revision was asked for
	EventMessage    EventKind = "message"    // our side wrote to the editor
	EventEditor     EventKind = "editor"     // the editor wrote
	EventReferences EventKind = "references" // reference images were added
	EventPaused     EventKind = "paused"
	EventApproved   EventKind = "approved"
	EventCanceled   EventKind = "canceled"
	EventMoved      EventKind = "moved"
	EventTracked    EventKind = "tracked" // a channel took over an order made elsewhere
	EventUntracked  EventKind = "untracked"
	EventGone       EventKind = "gone"
	EventBack       EventKind = "back" // the service knows again what was gone
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
	Order    Order               `json:"order,omitzero"`   // as it was then; pictures only when ready, no conversation
	Credits  decimal.NullDecimal `json:"credits,omitzero"` // placed: what remains
	At       time.Time           `json:"at"`
}
