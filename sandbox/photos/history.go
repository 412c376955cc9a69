package photos

import "time"

// What can happen to an order, as its history tells it.
const (
	DeedPlaced     = "placed"
	DeedMessage    = "message" // the client wrote
	DeedEditor     = "editor"  // the editor wrote
	DeedReferences = "references"
	DeedDelivered  = "delivered"
	DeedRevised    = "revised"
	DeedPaused     = "paused"
	DeedResumed    = "resumed"
	DeedApproved   = "approved"
	DeedCanceled   = "canceled"
)

// Deed is one thing that happened to an order, whoever did it.
type Deed struct {
	Kind     string
	Words    string // of a message
	Revision int    // of the order after it
	At       time.Time
}

// did adds to an order's history; the mutex is held.
func (s *Service) did(o *order, kind, words string) {
	o.history = append(o.history, Deed{Kind: kind, Words: words, Revision: o.revision, At: s.opts.Now()})
}
