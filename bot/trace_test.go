package bot_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"darkroom/bot"
)

func TestWhatSlackBringsTwiceIsOneTraceWhicheverReplicaHearsIt(t *testing.T) {
	var ids []string
	for _, request := range []string{"1.2", "1.2", "1.3"} {
		r := bot.NewRouter(nil) // another replica
		r.Command("/order", func(ctx context.Context, _ bot.Request) (bot.Reply, error) {
			ids = append(ids, trace.SpanContextFromContext(ctx).TraceID().String())
			return bot.Ack(), nil
		})
		r.Handle(t.Context(), bot.Request{Kind: bot.KindCommand, Name: "/order", ID: request})
	}
	require.Equal(t, ids[0], ids[1])
	require.NotEqual(t, ids[0], ids[2])
}

func TestTheReferenceThatAPersonReadsBeginsTheTracesID(t *testing.T) {
	var log bytes.Buffer
	var id trace.TraceID
	r := bot.NewRouter(slog.New(slog.NewTextHandler(&log, nil)))
	r.Command("/order", func(ctx context.Context, _ bot.Request) (bot.Reply, error) {
		id = trace.SpanContextFromContext(ctx).TraceID()
		return bot.Reply{}, errors.New("redis is away")
	})
	ref := confirmed.FindStringSubmatch(mustJSON(t, r.Handle(t.Context(), aCommand).Body))[1]
	require.True(t, strings.HasPrefix(id.String(), strings.ToLower(ref)))
	require.Contains(t, log.String(), "ref="+ref)
}

// recorded is a router that records its spans.
func recorded(t *testing.T) (*bot.Router, *tracetest.SpanRecorder) {
	t.Helper()
	spans := tracetest.NewSpanRecorder()
	r := bot.NewRouter(nil)
	r.Trace(sdk.NewTracerProvider(sdk.WithSpanProcessor(spans)).Tracer("test"))
	return r, spans
}

// A name or verb may be any typed text.
func TestASpanHasNothingThatSomebodyTyped(t *testing.T) {
	r, spans := recorded(t)
	r.Action("approve:*", func(context.Context, bot.Request) (bot.Reply, error) { return bot.Ack(), errors.New("t0p s3cret") })
	r.Command("/order", named("a"))
	r.Handle(t.Context(), bot.Request{Kind: bot.KindAction, Name: "approve:s3cret", ID: "s3cret", Value: "s3cret", ResponseURL: "https://s3cret"})
	r.Handle(t.Context(), bot.Request{Kind: bot.KindCommand, Name: "/order", Verb: "s3cret", Text: "s3cret", TriggerID: "s3cret"})
	r.Handle(t.Context(), bot.Request{Kind: bot.KindEvent, Name: "s3cret", ID: "e"})
	var names []string
	for _, s := range spans.Ended() {
		names = append(names, s.Name())
		require.Equal(t, trace.SpanKindServer, s.SpanKind())
		require.NotContains(t, s.Status().Description, "s3cret")
		for _, a := range s.Attributes() {
			require.NotContains(t, a.Value.String(), "s3cret", a.Key)
		}
	}
	require.Equal(t, []string{"action approve:*", "command /order", "event nobody's"}, names)
	require.Equal(t, codes.Error, spans.Ended()[0].Status().Code)
}
