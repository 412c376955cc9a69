package client

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// begin starts a call's span in the caller's trace. Without a trace it returns nil. end must end the span.
func (t *transport) begin(ctx context.Context, method string) (context.Context, trace.Span) {
	if t.tracer == nil || !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, nil
	}
	return t.tracer.Start(ctx, "slack "+method, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attribute.String("slack.method", method)))
}

// end ends a call's span with its outcome. The span has no address and no arguments: both may hold secrets
// or typed text.
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
		if classOf(e.Code) != nil { // a known code of Slack's
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
