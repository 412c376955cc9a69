package bot

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Anyone can send requests to the server's paths. So the log shows the first few refusals of each status,
// and counts the rest of that minute in one line.
const (
	refusalsNamed = 5
	refusalsSpan  = time.Minute
)

// refusals logs refused requests, with a bound on the number of lines.
type refusals struct {
	log *slog.Logger

	mu     sync.Mutex
	counts map[int]int // by status, within the minute that began with the first one
}

// note logs a refused request, or only counts it.
func (f *refusals) note(ctx context.Context, r *http.Request, status int, err error) {
	if f.count(status) > refusalsNamed {
		return
	}
	path := r.URL.Path[:min(len(r.URL.Path), 100)]
	f.log.WarnContext(ctx, "request refused", "status", status, "path", path, "remote", r.RemoteAddr, "err", err)
}

// count counts a refusal and returns the number in this minute.
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

// end logs how many refusals were not shown.
func (f *refusals) end(status int, began time.Time) {
	f.mu.Lock()
	more := f.counts[status] - refusalsNamed
	delete(f.counts, status)
	f.mu.Unlock()
	if more > 0 {
		f.log.Warn("more requests refused", "status", status, "count", more, "since", began)
	}
}
