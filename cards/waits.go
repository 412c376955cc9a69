package cards

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// maxWaits bounds how many waiting requests a card names.
const maxWaits = 3

// addWaits names the order's requests that wait for the service, so that nobody repeats them. Equal requests
// of one person appear once.
func addWaits(p *kit.Page, t store.Tracked, now time.Time) *kit.Page {
	var rows []string
	said := map[store.Wait]bool{}
	for _, w := range t.Waiting(now) {
		if !said[w] {
			said[w], rows = true, append(rows, waits(t, w))
		}
	}
	if more := len(rows) - maxWaits; more > 0 {
		rows = append(rows[:maxWaits], "and "+strconv.Itoa(more)+" more")
	}
	return p.Say(strings.Join(rows, "\n"))
}

// ChangeWaits names the waiting request that keeps an order from being reviewed, or returns "".
func ChangeWaits(t store.Tracked) string {
	for _, w := range t.Waits {
		if w.Changes() {
			return waits(t, w)
		}
	}
	return ""
}

func waits(t store.Tracked, w store.Wait) string {
	return ":hourglass_flowing_sand: *" + waitWords(t, w) + kit.Either(w.Begun, " on the way*", " waiting for the photo service*")
}

// waitWords returns "Approval by Maria is".
func waitWords(t store.Tracked, w store.Wait) string {
	words := map[string]string{
		order.VerbApprove: "Approval {by} is", order.VerbRevise: "A request for changes {by} is", order.VerbCancel: "Cancellation {by} is",
		order.VerbMessage: "A message {by} is", order.VerbReference: "Reference photos {by} are",
	}
	return strings.Replace(cmp.Or(words[w.Verb], "Something {by} is"), "{by}", by(t, w.Actor), 1)
}
