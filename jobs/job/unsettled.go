package job

import (
	"encoding/json"
	"time"

	"darkroom/store/queue"
)

// Writes are the kinds of job that send something to the service which may have arrived although nobody
// knows.
func Writes() []string {
	return []string{Place, Approve, Revise, Cancel, Message, Reference, Relay}
}

// Unsettled is when a write was sent whose outcome is not known yet, by the clock of Redis; false of one
// that is not out, or is settled. kept is what such a job keeps.
func Unsettled(kept queue.Kept) (since time.Time, is bool) {
	var p Progress
	if json.Unmarshal(kept.State, &p) != nil || p.Phase != Sending {
		return time.Time{}, false
	}
	return p.SentAt, true
}
