package store

import (
	"time"

	"darkroom/upstream"
)

// How long after it was placed an order can be taken back. The interface names both times
// (Limits); the service is the judge.
const (
	CancelPromised = 10 * time.Minute
	CancelWindow   = 15 * time.Minute // until then it is worth a try
)

// Can says whether a verb may be asked for an order as it stands, by somebody who names it. Whether
// it succeeds is the service's to judge: refused here is only what certainly can not. A verb that
// changes nothing at the service may be asked for always.
func (t Tracked) Can(verb string) bool {
	switch verb {
	case VerbApprove, VerbRevise:
		return !t.Gone && t.Order.Status == upstream.Reviewing
	case VerbCancel: // whatever the status, and however late
		return !t.Gone && !t.Order.Status.Final()
	case VerbMessage, VerbReference: // an editor may read it after the end
		return !t.Gone && !t.Left
	}
	return true
}

// Offers says whether a verb is worth offering now to somebody who did not name the order: it is one
// that [Tracked.Can] be asked for, and its time is not over. Buttons, pickers, and a verb whose
// order was left out all go by it.
func (t Tracked) Offers(verb string, now time.Time) bool {
	switch verb {
	case VerbCancel:
		return t.Can(verb) && now.Before(t.Order.OrderedAt.Add(CancelWindow))
	case VerbMessage, VerbReference:
		return t.Can(verb) && !t.Order.Status.Final()
	}
	return t.Can(verb)
}
