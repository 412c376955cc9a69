package files

import (
	"sync"
	"time"
)

const (
	// sheetWaitExpiry is how long after its last request a workspace counts as waiting. A waiting workspace asks every three seconds.
	sheetWaitExpiry = 10 * time.Second
	// maxSheetWaits is how many waiting workspaces are remembered.
	maxSheetWaits = 1024
)

// sheetQueue lets one workspace at a time make a sheet. The workspace that has waited longest comes first, however many
// sheets others want.
type sheetQueue struct {
	mu      sync.Mutex
	taken   bool
	waiting map[string]sheetWait // by workspace
}

type sheetWait struct{ since, asked time.Time }

func (q *sheetQueue) begin(workspace string) (done func(), ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	mine, waits := q.waiting[workspace]
	if !waits || now.Sub(mine.asked) >= sheetWaitExpiry {
		mine.since = now
	}
	if q.taken || q.olderWaits(mine.since, now) {
		if mine.asked = now; waits || len(q.waiting) < maxSheetWaits {
			q.waiting[workspace] = mine
		}
		return nil, false
	}
	delete(q.waiting, workspace)
	q.taken = true
	return q.release, true
}

// olderWaits reports whether a workspace has waited since an earlier time. It forgets workspaces that no longer ask.
func (q *sheetQueue) olderWaits(since, now time.Time) (longer bool) {
	for workspace, other := range q.waiting {
		if now.Sub(other.asked) >= sheetWaitExpiry {
			delete(q.waiting, workspace)
			continue
		}
		longer = longer || other.since.Before(since)
	}
	return longer
}

func (q *sheetQueue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken = false
}
