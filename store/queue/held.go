package queue

import (
	"context"
	"sync/atomic"
	"time"
)

// leaseKey is where a handler's context keeps its [leaseEnd].
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

// leaseEnd is when a claim ends unless Redis confirms it once more.
type leaseEnd struct{ at atomic.Pointer[time.Time] }

func (e *leaseEnd) set(t time.Time) { e.at.Store(&t) }

// Held returns [ErrLostClaim] when the claim under which a handler works has ended by this
// process's own clock. The handler's context ends then as well. But a process that was stopped and wakes may reach its next
// request before its timers fire: ask after every wait, right before what must not be done twice. nil outside a handler.
func Held(ctx context.Context) error {
	end, ok := ctx.Value(leaseKey{}).(*leaseEnd)
	if ok && !time.Now().Before(*end.at.Load()) {
		return ErrLostClaim
	}
	return nil
}
