package order_test

import (
	"testing"
	"time"

	"darkroom/order"

	"github.com/stretchr/testify/assert"
)

var statuses = []order.Status{order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusReviewing, order.StatusClosed, order.StatusCanceled, "proofing"}

var allVerbs = []string{"approve", "revise", "cancel", "message", "reference", "show", "move", "untrack", "again"}

func TestWhatCanBeAskedAndWhatIsOffered(t *testing.T) {
	working := []order.Status{order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusReviewing, "proofing"}
	review := []order.Status{order.StatusReviewing}
	for verb, want := range map[string]struct{ can, offered, offeredLate []order.Status }{
		"approve":   {review, review, review},
		"revise":    {review, review, review},
		"cancel":    {working, working, nil},
		"message":   {statuses, working, working},
		"reference": {statuses, working, working},
		"show":      {statuses, statuses, statuses},
	} {
		var can, offered, late []order.Status
		for _, status := range statuses {
			o := order.Known{Order: anOrder(status, 1)}
			o.Order.OrderedAt = noon
			if o.Can(verb) {
				can = append(can, status)
			}
			if o.Offers(verb, noon.Add(15*time.Minute-time.Second)) {
				offered = append(offered, status)
			}
			if o.Offers(verb, noon.Add(15*time.Minute)) {
				late = append(late, status)
			}
		}
		assert.Equal(t, want.can, can, verb)
		assert.Equal(t, want.offered, offered, verb)
		assert.Equal(t, want.offeredLate, late, verb+" late")
	}
}

// An offered verb is never denied, at any time and in any state. A gone order allows no verb.
func TestWhatIsOfferedCanBeAsked(t *testing.T) {
	for _, verb := range allVerbs {
		for _, status := range statuses {
			for bits := range 4 {
				o := order.Known{Order: anOrder(status, 0), Gone: bits&1 > 0, Untracked: bits&2 > 0}
				for _, ordered := range []time.Time{{}, noon} {
					o.Order.OrderedAt = ordered
					for _, now := range []time.Time{{}, noon, noon.Add(time.Hour)} {
						assert.False(t, o.Offers(verb, now) && !o.Can(verb), "%s %s", verb, status)
					}
				}
				reaches := verb == "show" || verb == "move" || verb == "untrack" || verb == "again"
				assert.True(t, !o.Gone || o.Can(verb) == reaches, "%s of an order that is gone", verb)
			}
		}
	}
}

func TestWhyAnOrderIsNotInReview(t *testing.T) {
	for status, want := range map[order.Status]order.Reason{
		order.StatusReviewing: "", order.StatusEditing: order.ReasonNotReady, order.StatusPaused: order.ReasonNotReady, "proofing": order.ReasonNotReady,
		order.StatusRevising: order.ReasonRevising, order.StatusClosed: order.ReasonClosed, order.StatusCanceled: order.ReasonCanceled,
	} {
		k := order.Known{Order: anOrder(status, 1)}
		assert.Equal(t, want, k.WhyNot("approve"), status)
		assert.Equal(t, want, k.WhyNot("revise"), status)
		assert.Equal(t, status == order.StatusReviewing, k.InReview(1), status)
		assert.False(t, k.InReview(0), "of another revision: %s", status)
		assert.Equal(t, status.Final(), k.Ended(), status)
		assert.True(t, k.Is(status))
		if status.Final() {
			assert.Equal(t, want, k.WhyNot("cancel"), status)
		}
		k.Untracked = true
		assert.False(t, k.InReview(1), status)
		k.Gone = true
		assert.Equal(t, order.ReasonGone, k.WhyNot("approve"), status)
		assert.True(t, k.Ended())
		assert.False(t, k.Is(status))
	}
	assert.Equal(t, order.ReasonUntracked, order.Known{Untracked: true}.WhyNot("message"))
	assert.Equal(t, order.ReasonGone, order.Known{Untracked: true, Gone: true}.WhyNot("reference"))
}

func TestARevisionIsUnseenUntilItsPicturesWereTold(t *testing.T) {
	k := order.Known{Order: anOrder(order.StatusReviewing, 1)}
	assert.True(t, k.Unseen())
	assert.True(t, with(k, &order.Delivered{Revision: 0}).Unseen())
	assert.False(t, with(k, &order.Delivered{Revision: 1}).Unseen())
	assert.False(t, order.Known{Order: anOrder(order.StatusEditing, 1)}.Unseen())
}
