package cards

import (
	"cmp"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// statusText returns an order's status without its time.
func statusText(t store.Tracked) string {
	return kit.Either(t.Gone, goneStatus, statusWords(t.Order.Status))
}

// statusEmoji returns the color of a status: yellow waits for somebody here, blue is in progress, orange is
// paused.
func statusEmoji(t store.Tracked) string {
	switch {
	case t.Gone, t.Order.Canceled():
		return ":white_circle:"
	case t.Order.Status.Final():
		return ":white_check_mark:"
	case t.Can(order.VerbApprove):
		return ":large_yellow_circle:"
	case t.Paused():
		return ":large_orange_circle:"
	case t.Order.Status.Works():
		return ":large_blue_circle:"
	}
	return ":white_circle:"
}

const goneStatus = "Gone at the photo service"

const goneText = "The photo service no longer knows this order. Its thread stays. I keep looking, and say when it is back."

func status(t store.Tracked) string {
	if t.Gone {
		return goneStatus
	}
	return kit.Join(", ", statusWords(t.Order.Status), kit.WhenKnown(t.Order.EndedAt()))
}

// plainStatus returns an order's status as plain text.
func plainStatus(t store.Tracked) string {
	return kit.Either(t.Gone, goneStatus, cmp.Or(KnownStatus(t.Order.Status), kit.OneLine(string(t.Order.Status))))
}

// statusWords returns a status as people say it. An unknown status stays as the service wrote it.
func statusWords(s order.Status) string {
	if known := KnownStatus(s); known != "" {
		return known
	}
	return kit.Inline(string(s), 80)
}

// KnownStatus returns a status as people say it, or "" for an unknown status.
func KnownStatus(s order.Status) string {
	return map[order.Status]string{
		order.StatusEditing:   "Being edited",
		order.StatusRevising:  "Changes being made",
		order.StatusPaused:    "Paused by the photo service",
		order.StatusReviewing: "Ready for review",
		order.StatusClosed:    "Approved",
		order.StatusCanceled:  "Canceled",
		"":                    "Not known yet",
	}[s]
}

// CountByStatus counts orders by their status: "2 ready for review". What waits for somebody comes first.
func CountByStatus(all []store.Tracked) (counts []string) {
	rest := len(all)
	add := func(n int, words string) {
		if rest -= n; n > 0 {
			counts = append(counts, strconv.Itoa(n)+" "+words)
		}
	}
	for _, of := range []struct {
		status order.Status
		words  string
	}{
		{order.StatusReviewing, "ready for review"},
		{order.StatusPaused, "paused"},
		{order.StatusEditing, "being edited"},
		{order.StatusRevising, "being changed"},
		{order.StatusClosed, "approved"},
		{order.StatusCanceled, "canceled"},
	} {
		add(kit.CountFunc(all, func(t store.Tracked) bool { return t.Is(of.status) }), of.words)
	}
	add(kit.CountFunc(all, func(t store.Tracked) bool { return t.Gone }), "gone at the photo service")
	add(rest, "in another state")
	return counts
}

// OutcomeOf says how the review of a revision ended, or returns "".
func OutcomeOf(t store.Tracked, revision int) string {
	switch {
	case t.Order.Rev() != revision, t.Is(order.StatusRevising):
		return "changes requested"
	case t.Gone, t.Ended():
		return strings.ToLower(statusText(t))
	}
	return kit.OnlyIf(t.Is(order.StatusEditing), "being edited again")
}

// Round returns a revision's name: people count rounds from 1, the service counts revisions from 0.
func Round(revision int) string { return "round " + strconv.Itoa(revision+1) }

// OfRound follows an order's name from the second round on.
func OfRound(t store.Tracked) string {
	return kit.Prefixed(", ", laterRound(t.Order.Rev()))
}

// laterRound is [Round], or "" for the first round.
func laterRound(revision int) string { return kit.OnlyIf(revision > 0, Round(revision)) }

// GoodOf says how many of an order's images are good, or returns "" if none is.
func GoodOf(t store.Tracked) string {
	switch good, all := t.Good(); {
	case good == 0:
		return ""
	case good < all:
		return strconv.Itoa(good) + " of " + strconv.Itoa(all) + " good"
	case all == 1:
		return "The photo is good"
	default:
		return "All " + strconv.Itoa(all) + " are good"
	}
}

// Undecided reports whether only some of an order's images are good.
func Undecided(t store.Tracked) bool {
	good, all := t.Good()
	return good > 0 && good < all
}

// GoodNote says on a review and an approval how many images are good.
func GoodNote(t store.Tracked) string {
	return kit.FullStop(kit.Prefixed(":white_check_mark: ", GoodOf(t)))
}
