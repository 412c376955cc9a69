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

	mu    sync.Mutex
	spans map[int]*refusedSpan // by status
}

// refusedSpan is what was refused with one status since the first of it was named.
type refusedSpan struct {
	began time.Time
	count int
}

// note names r, or counts it.
func (f *refusals) note(ctx context.Context, r *http.Request, status int, err error) {
	if !f.named(status) {
		return
	}
	path := r.URL.Path[:min(len(r.URL.Path), 100)]
	f.log.WarnContext(ctx, "request refused", "status", status, "path", path, "remote", r.RemoteAddr, "err", err)
}

// named tells whether there is a line for one more.
func (f *refusals) named(status int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	span := f.spans[status]
	if span == nil {
		span = &refusedSpan{began: time.Now()}
		if f.spans == nil {
			f.spans = map[int]*refusedSpan{}
		}
		f.spans[status] = span
		time.AfterFunc(refusalsSpan, func() { f.over(status) })
	}
	span.count++
	return span.count <= refusalsNamed
}

// over tells how many more there were than were named.
func (f *refusals) over(status int) {
	f.mu.Lock()
	span := f.spans[status]
	delete(f.spans, status)
	f.mu.Unlock()
	if more := span.count - refusalsNamed; more > 0 {
		f.log.Warn("more requests refused", "status", status, "count", more, "since", span.began)
	}
}
