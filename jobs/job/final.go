package job

import (
	"encoding/json"
	"slices"
	"strings"

	"darkroom/cards/talk"
	"darkroom/order"
	"darkroom/store/queue"
)

// The final outcomes of a dead letter, for its person.
const (
	NothingSent    = "Nothing of it was sent to the service, so you may also do it again yourself."
	MayBeSent      = "It may have reached the service, and I do not know whether it did: look at the order before you do it again."
	WasSent        = "The service has it, so do not do it again: only my answer is missing."
	OrderUntouched = "The order itself is not touched by that: its card says how it stands, or `/order list`."
)

// The ends of an outbound job, in its state.
const (
	EndDelivered = "delivered"
	EndReturned  = "kept" // returned to its person
)

// Always returns a function that gives every job the same final outcome.
func Always(outcome string) func(queue.DeadLetter) string {
	return func(queue.DeadLetter) string { return outcome }
}

// OutcomeOfWrite returns the final outcome of a write by the job's saved state, see [Progress]. An ended change that
// still counts sends has one that was never answered. An order that Redis may have forgotten counts no sends.
func OutcomeOfWrite(l queue.DeadLetter) string {
	var s struct {
		Progress
		End    string       `json:"end"` // of an outbound job
		Unsent talk.Unsent  `json:"unsent"`
		Order  *order.Order `json:"order"` // of a placed order
	}
	if len(l.State) > 0 && json.Unmarshal(l.State, &s) != nil {
		return MayBeSent
	}
	switch {
	case s.Phase == Arrived, s.End == EndDelivered, s.Order != nil:
		return WasSent
	case s.Phase == Accepted, s.Sends == 0 && l.Kind != Place, s.End == EndReturned && !s.Unsent.Unknown:
		return NothingSent
	}
	return MayBeSent
}

// Written joins the lines that are not blank.
func Written(lines ...string) string {
	some := slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
	return strings.Join(some, "\n")
}
