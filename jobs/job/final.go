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
	NothingSent    = "Nothing was sent to the photo service. You may do it again yourself."
	MayBeSent      = "I do not know if it reached the photo service. Look at the order before you do it again."
	WasSent        = "The photo service has it. Do not do it again: only my answer is missing."
	OrderUntouched = "The order is not affected. Its card or `/order list` shows its status."
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
