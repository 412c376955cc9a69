package upstream

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"darkroom/order"
)

// begin starts the span of one attempt in the caller's trace. Without a trace the span is nil, and end does
// nothing. The span has neither the address, which holds the signature, nor the parameters, which people
// typed.
func (c *Client) begin(ctx context.Context, r request) (context.Context, trace.Span) {
	if c.cfg.Tracer == nil || !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, nil
	}
	ctx, span := c.cfg.Tracer.Start(ctx, "service "+r.op, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("service.operation", r.op), attribute.String("http.request.method", r.method),
	))
	if r.id != "" {
		span.SetAttributes(attribute.String("darkroom.order", r.id))
	}
	if r.resent > 0 {
		span.SetAttributes(attribute.Int("http.request.resend_count", r.resent))
	}
	return ctx, span
}

// end records the outcome of the attempt.
func end(span trace.Span, a *answer, err error) {
	if span == nil {
		return
	}
	defer span.End()
	status := 0
	if a != nil {
		status = a.status
	}
	outcome := "ok"
	if err != nil {
		outcome = order.ErrRefused.Error() // also for an input that cannot be sent
		if e, ok := errors.AsType[*order.Error](err); ok {
			outcome, status = e.Outcome.Error(), e.Status
		}
		span.SetStatus(codes.Error, outcome)
	}
	span.SetAttributes(attribute.String("darkroom.outcome", outcome))
	if status != 0 {
		span.SetAttributes(attribute.Int("http.response.status_code", status))
	}
}
