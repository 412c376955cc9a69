package job

import (
	"encoding/json"
	"time"

	"darkroom/store/queue"
)

// Writes returns the kinds of job that write to the service.
func Writes() []string {
	return []string{Place, Approve, Revise, Cancel, Message, Reference, Relay}
}

// Unsettled returns when a write of unknown outcome was sent, by Redis's clock. It is false for a write that was not
// sent or whose outcome is known. kept is the saved state of its job.
func Unsettled(kept queue.Kept) (since time.Time, is bool) {
	var p Progress
	if json.Unmarshal(kept.State, &p) != nil || p.Phase != Sending {
		return time.Time{}, false
	}
	return p.SentAt, true
}
