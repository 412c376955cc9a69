package bot

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Anybody may send to the server's paths. The log names the first few refusals of each
// status, and counts the others of that minute in one line.
const (
	refusalsNamed = 5
	refusalsSpan  = time.Minute
)

// refusals writes what is refused to the log, in few lines whatever the number.
type refusals struct {
	log *slog.Logger

	mu     sync.Mutex
	counts map[int]int // by status, of the minute that began with the first of them
}

// note names r, or counts it.
func (f *refusals) note(ctx context.Context, r *http.Request, status int, err error) {
	if f.count(status) > refusalsNamed {
		return
	}
	path := r.URL.Path[:min(len(r.URL.Path), 100)]
	f.log.WarnContext(ctx, "request refused", "status", status, "path", path, "remote", r.RemoteAddr, "err", err)
}

// count counts one more and tells how many there were in this minute.
func (f *refusals) count(status int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts[status]++
	if f.counts[status] == 1 {
		began := time.Now()
		time.AfterFunc(refusalsSpan, func() { f.end(status, began) })
	}
	return f.counts[status]
}

// end tells how many more there were than were named.
func (f *refusals) end(status int, began time.Time) {
	f.mu.Lock()
	more := f.counts[status] - refusalsNamed
	delete(f.counts, status)
	f.mu.Unlock()
	if more > 0 {
		f.log.Warn("more requests refused", "status", status, "count", more, "since", began)
	}
}
