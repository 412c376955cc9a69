package jobs

import (
	"encoding/json"
	"slices"
	"strings"

	"darkroom/order"
	"darkroom/store/queue"
)

// What became of a job that can be done no more.
const (
	NothingSent = "Nothing of it was sent to the service, so you may also do it again yourself."
	mayBeSent   = "It may have reached the service, and I do not know whether it did: look at the order before you do it again."
	wasSent     = "The service has it, so do not do it again: only my answer is missing."
	orderStands = "The order itself is not touched by that: its card says how it stands, or `/order list`."
)

// Always is the same of each job of a kind.
func Always(truth string) func(queue.DeadLetter) string {
	return func(queue.DeadLetter) string { return truth }
}

// truthOfWrite is that of whatever is sent to the service, by what the job left of its state: see
// [Progress]. Where sends are counted after the end of a change, one of them was never answered; an
// order that was perhaps placed before Redis forgot it counts none.
func truthOfWrite(l queue.DeadLetter) string {
	var s struct {
		outboundState
		Order *order.Order `json:"order"` // of one that is placed
	}
	if len(l.State) > 0 && json.Unmarshal(l.State, &s) != nil {
		return mayBeSent
	}
	switch {
	case s.Phase == arrived, s.End == endDelivered, s.Order != nil:
		return wasSent
	case s.Phase == accepted, s.Sends == 0 && l.Kind != PlaceJob, s.End == endKept && !s.Unsent.Doubt:
		return NothingSent
	}
	return mayBeSent
}

// written are the lines in which something stands.
func written(lines ...string) string {
	some := slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
	return strings.Join(some, "\n")
}
