package queue

import (
	"cmp"
	"context"
	"crypto/sha256"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// A job belongs to the trace under which it was put, and saves it in a field: W3C's traceparent, or the trace's id alone if
// there is no span, so that the log can name it. Each delivery is a span of that trace. A job without a trace, for
// instance of an earlier version, gets a trace whose id is derived from the job's.
//
// See https://www.w3.org/TR/trace-context/#traceparent-header

// traceOf returns the trace of ctx as a job saves it; "": ctx has no trace.
func traceOf(ctx context.Context) string {
	s := trace.SpanContextFromContext(ctx)
	switch {
	case s.IsValid():
		return "00-" + s.TraceID().String() + "-" + s.SpanID().String() + "-" + s.TraceFlags().String()
	case s.HasTraceID():
		return s.TraceID().String()
	}
	return ""
}

// Where the parts of a traceparent are: a version, the two ids in hexadecimal digits, and flags.
const (
	traceAt, traceEnd = 3, 35
	spanAt, spanEnd   = 36, 52
	flagsAt, flagsEnd = 53, 55
)

// parseTrace inverts traceOf. A malformed text gives an invalid trace.
func parseTrace(text string) (c trace.SpanContextConfig) {
	c.Remote = true
	if len(text) >= flagsEnd && (len(text) == flagsEnd || text[flagsEnd] == '-') { // a later version may be longer
		c.SpanID, _ = trace.SpanIDFromHex(text[spanAt:spanEnd])
		if flag := text[flagsAt:flagsEnd]; flag[1]&1 == 1 { // the last digit, in either case
			c.TraceFlags = trace.FlagsSampled
		}
		text = text[traceAt:traceEnd]
	}
	c.TraceID, _ = trace.TraceIDFromHex(text)
	return c
}

// withTrace returns ctx in the trace of a job; text is its saved trace, id its id. Without a saved trace, the id yields one:
// so all deliveries of the job are in the same trace.
func withTrace(ctx context.Context, text, id string) context.Context {
	c := parseTrace(text)
	if !c.TraceID.IsValid() {
		sum := sha256.Sum256([]byte(id))
		c.TraceID, c.SpanID = trace.TraceID(sum[:16]), trace.SpanID{}
	}
	return trace.ContextWithSpanContext(ctx, trace.NewSpanContext(c))
}

// spans records the spans of jobs; without a tracer it records nothing.
type spans struct{ tracer trace.Tracer }

// begin begins the span of a delivery. The span has the kind of the job, but neither id nor lane: they may hold secrets of
// Slack.
func (s spans) begin(ctx context.Context, d *Delivery) context.Context {
	ctx = withTrace(ctx, d.trace, cmp.Or(d.claim.id, d.ID))
	if s.tracer == nil {
		return ctx
	}
	ctx, _ = s.tracer.Start(ctx, "process "+d.Kind, trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(
		attribute.String("messaging.operation.type", "process"),
		attribute.String("darkroom.job", d.Kind),
		attribute.Int("darkroom.job.delivery", d.Deliveries),
		attribute.Int("darkroom.job.failures", d.Attempt),
		attribute.Int64("darkroom.job.age_ms", d.Now().Sub(d.PutAt).Milliseconds()),
	))
	return ctx
}

// end ends the span, with the outcome.
func (s spans) end(ctx context.Context, o outcome, ours bool) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	verb := o.verb
	if !ours {
		verb = "lost"
	}
	span.SetAttributes(attribute.String("darkroom.outcome", verb))
	if o.after > 0 {
		span.SetAttributes(attribute.Int64("darkroom.job.again_in_ms", o.after.Milliseconds()))
	}
	if verb == "retry" || verb == "dead" || verb == "lost" {
		span.SetStatus(codes.Error, verb)
	}
	span.End()
}

// putting begins the span of a put, whose trace the job saves; done ends the span. A job that another script puts has a
// span without length, see [Queue.PutArgs].
func (s spans) putting(ctx context.Context, operation string, job Job) (_ context.Context, done func(added bool, err error)) {
	if s.tracer == nil || !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, func(bool, error) {}
	}
	ctx, span := s.tracer.Start(ctx, operation+" "+job.Kind, trace.WithSpanKind(trace.SpanKindProducer), trace.WithAttributes(
		attribute.String("messaging.operation.type", operation), attribute.String("darkroom.job", job.Kind),
	))
	return ctx, func(added bool, err error) {
		switch {
		case err != nil:
			span.SetStatus(codes.Error, "not confirmed")
		case !added: // it was put before
			span.SetAttributes(attribute.String("darkroom.outcome", "known"))
		}
		span.End()
	}
}
