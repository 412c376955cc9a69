package store

import (
	"context"
	"sync"
	"time"
)

// InLine is for how long a piece of work has waited for turns at an account because others were before it. What its own
// calls wait for each other is not counted. The zero value is ready, and all of nil does nothing.
type InLine struct {
	mu    sync.Mutex
	spent time.Duration
	since time.Time // when others began to be what it waits for; zero: it does not wait
}

type inLineKey struct{}

// WithInLine returns a context in which what waits for turns is noted, and where.
func WithInLine(ctx context.Context) (context.Context, *InLine) {
	l := &InLine{}
	return context.WithValue(ctx, inLineKey{}, l), l
}

func inLine(ctx context.Context) *InLine {
	l, _ := ctx.Value(inLineKey{}).(*InLine)
	return l
}

// wait notes that a call begins to wait, and with what it returns that it ends. Its own pace alone would take so long.
func (l *InLine) wait(own time.Duration) (done func()) {
	if l == nil {
		return func() {}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.since = time.Now().Add(own)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.spent, l.since = l.waited(), time.Time{}
	}
}

// Waited is for how long it has waited so far.
func (l *InLine) Waited() time.Duration {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waited()
}

// waited is Waited for who holds the lock.
func (l *InLine) waited() time.Duration {
	if l.since.IsZero() {
		return l.spent
	}
	return l.spent + max(time.Since(l.since), 0)
}
