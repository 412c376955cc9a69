package order

import "time"

// Known is the known state of an order: its latest data, and the history that no answer shows.
type Known struct {
	Order     Order      // all answers so far, merged
	Version   int64      // grows by one with each recorded change
	Gone      bool       // the service no longer knows the order
	Adopted   bool       // made elsewhere and tracked later
	Untracked bool       // no channel follows the order any more
	Delivered *Delivered // nil: nothing was ready for review yet
	Pauses    int        // number of pauses by the service

	Milestones Milestones // zero: never recorded
}

// Delivered is the newest delivery that made an event.
type Delivered struct {
	Revision int    `json:"revision"`
	Images   string `json:"images,omitempty"` // fingerprint of the images; "": the answer had none
	Again    bool   `json:"again,omitempty"`  // an earlier delivery had the same revision number
}

// Unseen reports whether a revision is ready whose images no answer has shown yet.
func (k Known) Unseen() bool {
	return k.Order.Status == StatusReviewing && (k.Delivered == nil || k.Delivered.Revision != k.Order.Rev())
}

// The time in which an order can be canceled. The interface names both figures (Limits); the service decides.
const (
	CancelPromised = 10 * time.Minute
	CancelWindow   = 15 * time.Minute // the last time for an attempt
)

// Reason is why a verb is not possible in the current state; "" if it is possible.
type Reason string

// The reasons.
const (
	ReasonGone      Reason = "gone"      // the service no longer knows the order
	ReasonUntracked Reason = "untracked" // no channel follows the order
	ReasonNotReady  Reason = "not_ready" // the editor works on the order, or the service paused it
	ReasonRevising  Reason = "revising"  // the editor makes changes
	ReasonClosed    Reason = "closed"    // the order was approved
	ReasonCanceled  Reason = "canceled"
)

// WhyNot returns why a person who names the order may not use a verb now; "" if they may. It refuses only what
// certainly fails, since the service decides about success. A verb that changes nothing at the service is
// always possible.
func (k Known) WhyNot(verb string) Reason {
	switch verb {
	case VerbApprove, VerbRevise:
		return k.whyNotReview()
	case VerbCancel: // in any other status, and however late
		if k.Gone || k.Order.Status.Final() {
			return k.whyNotReview()
		}
	case VerbMessage, VerbReference: // an editor may still read them after the end
		switch {
		case k.Gone:
			return ReasonGone
		case k.Untracked:
			return ReasonUntracked
		}
	}
	return ""
}

// whyNotReview returns why an order is not in review.
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

// Can reports whether a verb is possible now: see [Known.WhyNot].
func (k Known) Can(verb string) bool { return k.WhyNot(verb) == "" }

// Offers reports whether the app suggests a verb to a person who did not name the order: the verb is possible
// and not too late. Buttons, pickers and commands without an order use it.
func (k Known) Offers(verb string, now time.Time) bool {
	switch verb {
	case VerbCancel:
		return k.Can(verb) && now.Before(k.Order.OrderedAt.Add(CancelWindow))
	case VerbMessage, VerbReference:
		return k.Can(verb) && !k.Order.Status.Final()
	}
	return k.Can(verb)
}

// Ended reports whether nothing more will happen to the order.
func (k Known) Ended() bool { return k.Gone || k.Order.Status.Final() }

// Is reports whether the order exists and has this status.
func (k Known) Is(s Status) bool { return !k.Gone && k.Order.Status == s }

// Approved reports whether the order was approved.
func (k Known) Approved() bool { return k.Is(StatusClosed) }

// Canceled reports whether the order exists and was canceled.
func (k Known) Canceled() bool { return k.Is(StatusCanceled) }

// Paused reports whether the order exists and the service paused it.
func (k Known) Paused() bool { return k.Is(StatusPaused) }

// Expected reports whether a delivery is expected for a tracked order.
func (k Known) Expected() bool { return k.Order.Status.Expected() && !k.Gone && !k.Untracked }

// InReview reports whether this revision of a tracked order waits for a decision.
func (k Known) InReview(revision int) bool {
	return k.Can(VerbApprove) && !k.Untracked && k.Order.Rev() == revision
}

// Denial is why an order cannot be shown, or changed, in a channel or by a person.
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
	DeniedExternal     Denial = "external"  // a member of another organisation
	DeniedUnsure       Denial = "unsure"    // Slack cannot identify the user
	DeniedNoPerson     Denial = "no_person" // a deactivated account, or an app
	DeniedNoRoom       Denial = "no_room"   // a direct message with one person or several
	DeniedByChannel    Denial = "refused"   // for an unknown reason of Slack's
)
