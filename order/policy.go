package order

import "time"

// Known is what is known of an order: what it was last seen to be, and of its course what
// no snapshot shows.
type Known struct {
	Order     Order      // all that the answers told so far, merged
	Version   int64      // grows by one with every change recorded
	Gone      bool       // the service knows it no longer
	Adopted   bool       // made elsewhere, and tracked later
	Untracked bool       // its channel is told so, and then nothing more
	Delivered *Delivered // nil: nothing was ready for review yet
	Pauses    int        // how often the service paused it

	Milestones Milestones // zero: not kept for it
}

// Delivered is the newest delivery that was told as an event.
type Delivered struct {
	Revision int    `json:"revision"`
	Images   string `json:"images,omitempty"` // a fingerprint of the pictures; "": none were told
	Again    bool   `json:"again,omitempty"`  // there was another under this number before
}

// Unseen says that a revision is ready whose pictures no answer has shown yet.
func (k Known) Unseen() bool {
	return k.Order.Status == StatusReviewing && (k.Delivered == nil || k.Delivered.Revision != k.Order.Rev())
}

// How long after it was placed an order can be taken back. The interface names both times
// (Limits); the service is the judge.
const (
	CancelPromised = 10 * time.Minute
	CancelWindow   = 15 * time.Minute // until then it is worth a try
)

// Reason is why a verb is not possible with an order as it stands; "" when it is.
type Reason string

// The reasons.
const (
	ReasonGone      Reason = "gone"      // the service knows it no longer
	ReasonUntracked Reason = "untracked" // no channel has it
	ReasonNotReady  Reason = "not_ready" // the editor works on it, or the service paused it
	ReasonRevising  Reason = "revising"  // changes are being made
	ReasonClosed    Reason = "closed"    // it was approved
	ReasonCanceled  Reason = "canceled"
)

// WhyNot says why a verb may not be asked for an order as it stands by somebody who names it, ""
// when it may. Whether it succeeds is the service's to judge: refused here is only what certainly
// can not. A verb that changes nothing at the service may be asked for always.
func (k Known) WhyNot(verb string) Reason {
	switch verb {
	case VerbApprove, VerbRevise:
		return k.whyNotReview()
	case VerbCancel: // whatever the status, and however late
		if k.Gone || k.Order.Status.Final() {
			return k.whyNotReview()
		}
	case VerbMessage, VerbReference: // an editor may read it after the end
		switch {
		case k.Gone:
			return ReasonGone
		case k.Untracked:
			return ReasonUntracked
		}
	}
	return ""
}

// whyNotReview says why an order is not in review.
func (k Known) whyNotReview() Reason {
	switch {
	case k.Gone:
		return ReasonGone
	case k.Order.Status == StatusReviewing:
		return ""
	case k.Order.Status == StatusClosed:
		return ReasonClosed
	case k.Order.Status == StatusCanceled:
		return ReasonCanceled
	case k.Order.Status == StatusRevising:
		return ReasonRevising
	}
	return ReasonNotReady
}

// Can says whether there is no reason against a verb: see [Known.WhyNot].
func (k Known) Can(verb string) bool { return k.WhyNot(verb) == "" }

// Offers says whether a verb is worth offering now to somebody who did not name the order: it is one
// that [Known.Can] be asked for, and its time is not over. Buttons, pickers, and a verb whose
// order was left out all go by it.
func (k Known) Offers(verb string, now time.Time) bool {
	switch verb {
	case VerbCancel:
		return k.Can(verb) && now.Before(k.Order.OrderedAt.Add(CancelWindow))
	case VerbMessage, VerbReference:
		return k.Can(verb) && !k.Order.Status.Final()
	}
	return k.Can(verb)
}

// Ended says that nobody waits for anything of the order any more.
func (k Known) Ended() bool { return k.Gone || k.Order.Status.Final() }

// Is says that the order stands so at a service that knows it.
func (k Known) Is(s Status) bool { return !k.Gone && k.Order.Status == s }

// Canceled says that the order was taken back.
func (k Known) Canceled() bool { return k.Is(StatusCanceled) }

// Paused says that the service has put the order aside, until it goes on.
func (k Known) Paused() bool { return k.Is(StatusPaused) }

// Expected says that the service works towards a time of delivery, and knows the order.
func (k Known) Expected() bool { return k.Order.Status.Expected() && !k.Gone && !k.Untracked }

// InReview says whether that revision of the order waits for somebody's judgement.
func (k Known) InReview(revision int) bool {
	return k.Can(VerbApprove) && !k.Untracked && k.Order.Rev() == revision
}

// Denial is a reason for which an order cannot be shown, or acted on, in a channel.
type Denial string

// The reasons.
const (
	DeniedNotInChannel Denial = "not_in_channel"
	DeniedNoChannel    Denial = "no_channel"
	DeniedArchived     Denial = "archived"
	DeniedMissingScope Denial = "missing_scope"
	DeniedTokenRevoked Denial = "token_revoked"
	DeniedNotMember    Denial = "not_member"
	DeniedGuest        Denial = "guest"
	DeniedExternal     Denial = "external"  // of another organisation
	DeniedUnsure       Denial = "unsure"    // Slack does not tell who that is
	DeniedNoPerson     Denial = "no_person" // an account that is switched off, or an app's
	DeniedNoRoom       Denial = "no_room"   // a direct message, of two or several
	DeniedByChannel    Denial = "refused"   // for a reason of its own that Slack did not tell
)
