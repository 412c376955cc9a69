package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"darkroom/bot"
	"darkroom/cmd/darkroom/config"
	"darkroom/jobs/job"
)

func TestWithoutACollectorNothingIsRecorded(t *testing.T) {
	for name, environ := range map[string][]string{
		"none is named": nil,
		"switched off":  {"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1", "OTEL_SDK_DISABLED=true"},
	} {
		cfg, err := config.Read(append(working(), environ...))
		require.NoError(t, err)
		traces, err := newTraces(cfg, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		require.Nil(t, traces, name)
		require.Nil(t, traces.tracer(), name)
		traces.close()
	}
}

func TestTracesGoWhereTheStandardSays(t *testing.T) {
	for want, environ := range map[string][]string{
		"https://otel.test:4318/v1/traces":     {"OTEL_EXPORTER_OTLP_ENDPOINT=https://otel.test:4318"},
		"https://otel.test/otlp/v1/traces":     {"OTEL_EXPORTER_OTLP_ENDPOINT=https://otel.test/otlp/"},
		"https://traces.test/ingest":           {"OTEL_EXPORTER_OTLP_ENDPOINT=https://otel.test", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=https://traces.test/ingest"},
		"https://only-traces.test/a/v1/traces": {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=https://only-traces.test/a/v1/traces"},
	} {
		cfg, err := config.Read(append(working(), environ...))
		require.NoError(t, err)
		require.Equal(t, want, cfg.TracesURL())
	}
}

// collecting is a collector that answers so, one after the other, and what it got.
func collecting(t *testing.T, statuses ...int) (url string, got *[]*http.Request) {
	t.Helper()
	got = new([]*http.Request)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var batch tracepb.TracesData
		if proto.Unmarshal(body, &batch) != nil || len(batch.ResourceSpans) != 1 {
			http.Error(w, "not a batch", http.StatusTeapot)
			return
		}
		*got = append(*got, r)
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(statuses[min(len(*got), len(statuses))-1])
	}))
	t.Cleanup(server.Close)
	return server.URL, got
}

func TestABatchIsSentAgainOnlyWhenTheCollectorAsksForIt(t *testing.T) {
	for name, test := range map[string]struct {
		statuses []int
		sent     int
		fails    bool
	}{
		"taken":                       {[]int{200}, 1, false},
		"busy at first":               {[]int{503, 200}, 2, false},
		"refused":                     {[]int{400, 200}, 1, true},
		"elsewhere":                   {[]int{307, 200}, 1, true}, // the headers are for this collector alone
		"busy for longer than we try": {[]int{429}, 3, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, got := collecting(t, test.statuses...)
			c := newCollector(url, config.Config{OTLPHeaders: "authorization=Bearer%20s3cret, x-team = studio"})
			err := c.UploadTraces(t.Context(), []*tracepb.ResourceSpans{{}})
			require.Equal(t, test.fails, err != nil, "%v", err)
			require.Len(t, *got, test.sent)
			require.Equal(t, "Bearer s3cret", (*got)[0].Header.Get("Authorization"))
			require.Equal(t, "studio", (*got)[0].Header.Get("X-Team"))
			if err != nil {
				require.NotContains(t, err.Error(), "s3cret")
			}
		})
	}
}

func TestABatchUnderWayEndsWithTheCollector(t *testing.T) {
	url, _ := collecting(t, 503)
	c := newCollector(url, config.Config{})
	require.NoError(t, c.Stop(t.Context()))
	require.ErrorIs(t, c.UploadTraces(t.Context(), []*tracepb.ResourceSpans{{}}), context.Canceled)
}

// Three places tell a person a reference, or the log an id: they are one.
func TestEachLineOfTheLogHasTheIDThatReferencesBegin(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		var out bytes.Buffer
		log := newLog(config.Config{LogFormat: format, LogLevel: "info"}, &out).With("room", "bot").WithGroup("g")
		var id string
		r := bot.NewRouter(nil)
		r.Command("/order", func(ctx context.Context, _ bot.Request) (bot.Reply, error) {
			id = trace.SpanContextFromContext(ctx).TraceID().String()
			log.InfoContext(ctx, "heard")
			return bot.Ack(), nil
		})
		r.Handle(t.Context(), bot.Request{Kind: bot.KindCommand, Name: "/order", ID: "1.2"})
		require.Contains(t, out.String(), id)
		require.True(t, strings.HasPrefix(id, strings.ToLower(job.ShortRef("1.2"))))
		out.Reset()
		log.InfoContext(t.Context(), "nobody's")
		require.NotContains(t, out.String(), "trace_id")
	}
}
