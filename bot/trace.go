package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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

// begin begins the span of a call in the trace of whoever makes it; where there is none it is nil. end
// must end it.
func (t *transport) begin(ctx context.Context, method string) (context.Context, trace.Span) {
	if t.tracer == nil || !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, nil
	}
	return t.tracer.Start(ctx, "slack "+method, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attribute.String("slack.method", method)))
}

// end tells how a call ended, in Slack's codes and ours. Nothing is told of its address and its arguments:
// both hold secrets and what people typed.
func (t *transport) end(span trace.Span, err error) {
	if span == nil {
		return
	}
	defer span.End()
	outcome := OutcomeOK
	if e, ok := errors.AsType[*Error](err); ok {
		outcome = OutcomeFailed
		if len(e.class) > 0 {
			outcome = e.class[0].Error()
		}
		if classOf(e.Code) != nil { // known, so one of Slack's words
			span.SetAttributes(attribute.String("slack.error", e.Code))
		}
		if e.Status != 0 {
			span.SetAttributes(attribute.Int("http.response.status_code", e.Status))
		}
	}
	span.SetAttributes(attribute.String("darkroom.outcome", outcome))
	if err != nil {
		span.SetStatus(codes.Error, outcome)
	}
}
