package poll

import (
	"context"
	"crypto/rand"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"darkroom/order"
)

// changed begins a trace of its own for a change that was found at the service, back to when the order was
// asked for: what is put to announce it goes on in that trace. Its span counts only when it is ended: one
// that turns out to be no change, or to be somebody else's to tell, has none. The span of the job that would have
// announced it may stand alone then: it is over before the write is tried, see [queue.Queue.PutArgs].
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

// recorded ends that span, and tells the log at level info what is new of the order.
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
