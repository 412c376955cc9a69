package job

import (
	"context"
	"log/slog"
	"time"

	"darkroom/store"
)

// Once remembers what people were notified of.
type Once struct {
	Documents *store.DocumentStore
	Log       *slog.Logger
}

// First reports whether nobody was notified of it yet; when Redis does not answer, it is true.
func (o *Once) First(ctx context.Context, name string, life time.Duration) bool {
	first, err := o.Documents.PutIfAbsent(ctx, name, true, life)
	return first || err != nil
}

// Forget makes the next notification the first again.
func (o *Once) Forget(ctx context.Context, name string) {
	if err := o.Documents.Delete(ctx, name); err != nil {
		o.Log.WarnContext(ctx, "what was not said is not said again", "note", name, "err", err)
	}
}
