package job

import (
	"encoding/json"
	"slices"
	"strings"

	"darkroom/cards/talk"
	"darkroom/order"
	"darkroom/store/queue"
)

// What became of a job that can be done no more.
const (
	NothingSent = "Nothing of it was sent to the service, so you may also do it again yourself."
	MayBeSent   = "It may have reached the service, and I do not know whether it did: look at the order before you do it again."
	WasSent     = "The service has it, so do not do it again: only my answer is missing."
	OrderStands = "The order itself is not touched by that: its card says how it stands, or `/order list`."
)

// How what goes to an editor ends, in the state of its job.
const (
	EndDelivered = "delivered"
	EndKept      = "kept" // given back to its person
)

// Always is the same of each job of a kind.
func Always(truth string) func(queue.DeadLetter) string {
	return func(queue.DeadLetter) string { return truth }
}

// OutcomeOfWrite is that of whatever is sent to the service, by what the job left of its state: see
// [Progress]. Where sends are counted after the end of a change, one of them was never answered; an
// order that was perhaps placed before Redis forgot it counts none.
func OutcomeOfWrite(l queue.DeadLetter) string {
	var s struct {
		Progress
		End    string       `json:"end"` // of what goes to an editor
		Unsent talk.Unsent  `json:"unsent"`
		Order  *order.Order `json:"order"` // of one that is placed
	}
	if len(l.State) > 0 && json.Unmarshal(l.State, &s) != nil {
		return MayBeSent
	}
	switch {
	case s.Phase == Arrived, s.End == EndDelivered, s.Order != nil:
		return WasSent
	case s.Phase == Accepted, s.Sends == 0 && l.Kind != Place, s.End == EndKept && !s.Unsent.Unknown:
		return NothingSent
	}
	return MayBeSent
}

// Written are the lines in which something stands.
func Written(lines ...string) string {
	some := slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
	return strings.Join(some, "\n")
}
