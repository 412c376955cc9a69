package files

import (
	"sync"
	"time"
)

const (
	// sheetForgotten is when a workspace that was refused and does not ask again waits no more. Who waits asks every three seconds.
	sheetForgotten = 10 * time.Second
	// mostInSheetLine bounds what is remembered.
	mostInSheetLine = 1024
)

// sheetLine gives the one place for a sheet to the workspace that has waited longest since it had it last, however
// many sheets others want.
type sheetLine struct {
	mu    sync.Mutex
	taken bool
	wait  map[string]sheetWait // by workspace
}

type sheetWait struct{ since, asked time.Time }

func (l *sheetLine) begin(workspace string) (done func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	mine, waits := l.wait[workspace]
	if !waits || now.Sub(mine.asked) >= sheetForgotten {
		mine.since = now
	}
	if l.taken || l.longer(mine.since, now) {
		if mine.asked = now; waits || len(l.wait) < mostInSheetLine {
			l.wait[workspace] = mine
		}
		return nil, false
	}
	delete(l.wait, workspace)
	l.taken = true
	return l.leave, true
}

// longer says that somebody has waited longer than since then. Who is not there any more is forgotten.
func (l *sheetLine) longer(since, now time.Time) (longer bool) {
	for workspace, other := range l.wait {
		if now.Sub(other.asked) >= sheetForgotten {
			delete(l.wait, workspace)
			continue
		}
		longer = longer || other.since.Before(since)
	}
	return longer
}

func (l *sheetLine) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken = false
}
