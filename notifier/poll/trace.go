package poll

import (
	"context"
	"crypto/rand"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"darkroom/order"
)

// changed starts a trace for a change at the service, from the time the order was requested. The
// announcement continues the trace. A span counts only if it is ended, so a change that was recorded
// elsewhere has none. The span of the announcing job may then stand alone: it ends before the write is
// tried, see [queue.Queue.PutArgs].
func (p *Poller) changed(ctx context.Context, id string, asked time.Time) context.Context {
	var made trace.TraceID
	_, _ = rand.Read(made[:]) // it never fails
	ctx = trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{TraceID: made}))
	if p.Tracer == nil {
		return ctx
	}
	ctx, _ = p.Tracer.Start(ctx, "poll change", trace.WithTimestamp(asked), trace.WithAttributes(attribute.String("darkroom.order", id)))
	return ctx
}

// recorded ends that span and logs the order's new events at info.
func (p *Poller) recorded(ctx context.Context, id string, news []order.Event) {
	kinds := make([]string, len(news))
	for i, e := range news {
		kinds[i] = string(e.Kind)
	}
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.SetAttributes(attribute.StringSlice("darkroom.events", kinds))
		span.End()
	}
	p.Log.InfoContext(ctx, "change found", "order", id, "events", kinds)
}
