package job

import (
	"context"
	"log/slog"
	"time"

	"darkroom/store"
)

// Once marks notifications as sent.
type Once struct {
	Documents *store.DocumentStore
	Log       *slog.Logger
}

// First marks the notification of this name for life, and reports whether it was not marked before. It is true if
// Redis does not answer.
func (o *Once) First(ctx context.Context, name string, life time.Duration) bool {
	first, err := o.Documents.PutIfAbsent(ctx, name, true, life)
	return first || err != nil
}

// Forget removes the mark.
func (o *Once) Forget(ctx context.Context, name string) {
	if err := o.Documents.Delete(ctx, name); err != nil {
		o.Log.WarnContext(ctx, "what was not said is not said again", "note", name, "err", err)
	}
}
