package queue

import (
	"context"
	"sync/atomic"
	"time"
)

// leaseKey is the key of the [leaseEnd] in a handler's context.
type leaseKey struct{}

// heldContext is a context with a leaseEnd.
type heldContext struct {
	context.Context
	end leaseEnd
}

// Value implements [context.Context].
func (c *heldContext) Value(key any) any {
	if key == (leaseKey{}) {
		return &c.end
	}
	return c.Context.Value(key)
}

// leaseEnd is the time when a claim ends, unless Redis confirms it again.
type leaseEnd struct{ at atomic.Pointer[time.Time] }

func (e *leaseEnd) set(t time.Time) { e.at.Store(&t) }

// Held returns [ErrLostClaim] if the handler's claim has ended by this process's clock. The handler's context ends then as
// well. But a process that was stopped may send its next request before its timers fire. So call Held after every wait,
// right before anything that must not happen twice. Outside a handler it returns nil.
func Held(ctx context.Context) error {
	end, ok := ctx.Value(leaseKey{}).(*leaseEnd)
	if ok && !time.Now().Before(*end.at.Load()) {
		return ErrLostClaim
	}
	return nil
}
