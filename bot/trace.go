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

// Everything that comes of a request belongs to one trace, whose id is made of the request's own: what
// Slack brings twice is in the same trace. The id travels in the context whether spans are recorded or
// not, so that the log can name it.

// Trace sets what records a span of each request; nil: nothing does. Set it before the first request.
func (r *Router) Trace(tracer trace.Tracer) { r.tracer = tracer }

// traceID names everything that comes of a request.
func traceID(q Request) trace.TraceID {
	sum := sha256.Sum256([]byte(q.ID))
	return trace.TraceID(sum[:16])
}

// reference is short enough to read out: the beginning of the trace's id, which each line of the log has.
func reference(q Request) string {
	id := traceID(q)
	return strings.ToUpper(hex.EncodeToString(id[:3]))
}

// identified is ctx with the id of the request's trace. There is no span yet: the first one begins the trace.
func identified(ctx context.Context, q Request) context.Context {
	return trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceID(q)}))
}

// begin begins the trace of a request that was heard at that time.
func (r *Router) begin(ctx context.Context, q Request, heard time.Time) context.Context {
	ctx = identified(ctx, q)
	if r.tracer == nil {
		return ctx
	}
	name := r.routed(q)
	ctx, _ = r.tracer.Start(ctx, string(q.Kind)+" "+name, trace.WithTimestamp(heard), trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("darkroom.kind", string(q.Kind)), attribute.String("darkroom.route", name)))
	return ctx
}

// end ends the span of a request, and tells the log.
func (r *Router) end(ctx context.Context, q Request, err error, took time.Duration) {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.SetAttributes(attribute.String("darkroom.outcome", outcomeOf(err)))
		if err != nil {
			span.SetStatus(codes.Error, outcomeOf(err))
		}
		span.End()
	}
	if r.log.Enabled(ctx, slog.LevelDebug) {
		r.log.DebugContext(ctx, "request answered", "kind", q.Kind, "route", r.routed(q), "outcome", outcomeOf(err), "took", took)
	}
}

// routed is what the request's handler is registered for: its own name may be foreign text.
func (r *Router) routed(q Request) string {
	name, h := r.find(q)
	if h == nil && r.like != nil {
		name, h = r.like.find(q)
	}
	if h == nil {
		return "nobody's"
	}
	return name
}
