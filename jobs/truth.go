package jobs

import (
	"encoding/json"
	"strings"

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

// truthOfOutbound is that of what goes to an editor.
func truthOfOutbound(l queue.DeadLetter) string {
	var s outboundState
	if !stateOf(l, &s) {
		return mayBeSent
	}
	switch {
	case s.Phase == arrived, s.End == endDelivered:
		return wasSent
	case s.Sends == 0, s.End == endKept && !s.Unsent.Doubt:
		return NothingSent
	}
	return mayBeSent
}

// truthOfChange is that of approving, requesting changes and canceling. Where sends are counted
// after its end, one of them was never answered: see changeRefused.
func truthOfChange(l queue.DeadLetter) string {
	var s changeState
	switch {
	case !stateOf(l, &s):
		return mayBeSent
	case s.Sends == 0:
		return NothingSent
	}
	return mayBeSent
}

// truthOfPlacing is that of an order whose draft has moved on, or is gone.
func truthOfPlacing(l queue.DeadLetter) string {
	var s placeState
	switch {
	case !stateOf(l, &s):
		return mayBeSent
	case s.Order != nil:
		return wasSent
	case s.Phase == accepted:
		return NothingSent
	}
	return mayBeSent
}

// stateOf reads what a dead job left of its progress; none is the zero value.
func stateOf(l queue.DeadLetter, into any) bool {
	return len(l.State) == 0 || json.Unmarshal(l.State, into) == nil
}

// written are the lines in which something stands.
func written(lines ...string) string {
	var some []string
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			some = append(some, line)
		}
	}
	return strings.Join(some, "\n")
}
