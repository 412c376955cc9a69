package client

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// begin begins the span of a call in the caller's trace; without a trace the span is nil. end must end it.
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
	outcome := CallOK
	if e, ok := errors.AsType[*Error](err); ok {
		outcome = "failed"
		if len(e.Class) > 0 {
			outcome = e.Class[0].Error()
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
