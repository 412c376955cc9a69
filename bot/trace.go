package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// A request and all work that follows it share one trace. The trace's id is derived from the request's, so
// Slack's repeats belong to the same trace. The context has the id even without a tracer, so that the log
// can name it.

// Trace sets the tracer that records a span for each request; nil: no spans. Set it before the first
// request.
func (r *Router) Trace(tracer trace.Tracer) { r.tracer = tracer }

// traceID derives the trace's id from the request's.
func traceID(q Request) trace.TraceID {
	sum := sha256.Sum256([]byte(q.ID))
	return trace.TraceID(sum[:16])
}

// reference returns the beginning of the trace's id: short enough to read aloud, and in each log line.
func reference(q Request) string {
	id := traceID(q)
	return strings.ToUpper(hex.EncodeToString(id[:3]))
}

// identified returns ctx with the request's trace id, without a span.
func identified(ctx context.Context, q Request) context.Context {
	return trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceID(q)}))
}

// begin starts the trace of a request that arrived at a time.
func (r *Router) begin(ctx context.Context, q Request, arrived time.Time) context.Context {
	ctx = identified(ctx, q)
	if r.tracer == nil {
		return ctx
	}
	name := r.routeName(q)
	ctx, _ = r.tracer.Start(ctx, string(q.Kind)+" "+name, trace.WithTimestamp(arrived), trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("darkroom.kind", string(q.Kind)), attribute.String("darkroom.route", name)))
	return ctx
}

// end ends the request's span and logs the outcome.
func (r *Router) end(ctx context.Context, q Request, err error, took time.Duration) {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.SetAttributes(attribute.String("darkroom.outcome", outcomeOf(err)))
		if err != nil {
			span.SetStatus(codes.Error, outcomeOf(err))
		}
		span.End()
	}
	if r.log.Enabled(ctx, slog.LevelDebug) {
		r.log.DebugContext(ctx, "request answered", "kind", q.Kind, "route", r.routeName(q), "outcome", outcomeOf(err), "took", took)
	}
}

// routeName returns the name of the request's route. The request's own name may be untrusted text.
func (r *Router) routeName(q Request) string {
	name, h := r.find(q)
	if h == nil && r.fallback != nil {
		name, h = r.fallback.find(q)
	}
	if h == nil {
		return "nobody's"
	}
	return name
}
