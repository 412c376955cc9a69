package poll

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// contained calls f; a panic becomes an error, and the log has where it was. A mistake in the program that one order
// meets, or one workspace, is to cost the others nothing: the process polls for all of them.
func contained(ctx context.Context, log *slog.Logger, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
			log.ErrorContext(ctx, "poll panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	return f()
}
