package main

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/time/rate"

	"darkroom/cmd/darkroom/config"
)

// traces records spans and sends them to a collector; nil: no collector is configured.
type traces struct {
	provider *sdk.TracerProvider
	log      *slog.Logger
}

// newTraces starts recording if a collector is configured. Spans wait for it in a bounded queue; further
// spans are dropped.
func newTraces(cfg config.Config, log *slog.Logger) (*traces, error) {
	address := cfg.TracesURL()
	if address == "" {
		return nil, nil
	}
	ctx := context.Background() // no request is sent yet
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "darkroom"), attribute.String("service.version", version()),
			attribute.String("service.instance.id", instance())),
		resource.WithTelemetrySDK(), resource.WithFromEnv()) // OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES: the last one wins
	if err != nil {
		return nil, err
	}
	otel.SetErrorHandler(quietly(log))
	exporter, err := otlptrace.New(ctx, newCollector(address, cfg))
	if err != nil {
		return nil, err
	}
	log.Info("traces are sent", "to", address)
	return &traces{provider: sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about)), log: log}, nil
}

// instance returns a name that is unique among the replicas. It begins with the host's name, for people.
func instance() string {
	host, err := os.Hostname()
	if err != nil {
		host = "somewhere"
	}
	return host + "-" + rand.Text()[:10]
}

// quietly logs the library's errors at most once in ten minutes: while the collector is away, each batch causes
// one.
func quietly(log *slog.Logger) otel.ErrorHandlerFunc {
	often := rate.Sometimes{First: 1, Interval: 10 * time.Minute}
	return func(err error) {
		often.Do(func() { log.Warn("traces not delivered", "err", err) })
	}
}

// tracer returns the app's tracer; nil records nothing.
func (t *traces) tracer() trace.Tracer {
	if t == nil {
		return nil
	}
	return t.provider.Tracer("darkroom", trace.WithInstrumentationVersion(version()))
}

// flushTime is for the last spans when the app stops, after [stopTime].
const flushTime = 500 * time.Millisecond

// close sends the remaining spans.
func (t *traces) close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		t.log.Info("the last traces were not delivered", "err", err)
	}
}
