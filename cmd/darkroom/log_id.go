package main

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// identified adds to each line of the log the id of the trace that it belongs to: the same one from a
// person's click through its jobs to the channel's message, whether traces are recorded or not.
type identified struct{ slog.Handler }

// Handle implements [slog.Handler].
func (h identified) Handle(ctx context.Context, line slog.Record) error {
	if id := trace.SpanContextFromContext(ctx).TraceID(); id.IsValid() {
		line.AddAttrs(slog.String("trace_id", id.String()))
	}
	return h.Handler.Handle(ctx, line)
}

// WithAttrs implements [slog.Handler].
func (h identified) WithAttrs(attrs []slog.Attr) slog.Handler {
	return identified{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements [slog.Handler].
func (h identified) WithGroup(name string) slog.Handler { return identified{h.Handler.WithGroup(name)} }
