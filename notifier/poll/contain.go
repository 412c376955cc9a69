package poll

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// contained calls f and turns a panic into a logged error. A bug that one order or workspace triggers must
// not affect the others: the process polls for all of them.
func contained(ctx context.Context, log *slog.Logger, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
			log.ErrorContext(ctx, "poll panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	return f()
}
