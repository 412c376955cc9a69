package client_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"darkroom/bot/client"
)

// A call without a trace gets no span; otherwise each would be a trace of its own.
func TestACallToSlackHasASpanOnlyWithinATrace(t *testing.T) {
	slack := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"ok":false,"error":"channel_not_found"}`)
	}))
	defer slack.Close()
	spans := tracetest.NewSpanRecorder()
	tracer := sdk.NewTracerProvider(sdk.WithSpanProcessor(spans)).Tracer("test")
	c := client.New(client.Config{Token: "xoxb-s3cret", APIURL: slack.URL, Tracer: tracer})
	defer c.Close()
	_, err := c.Messages.Post(t.Context(), client.Post{Channel: "C1", Text: "words"})
	require.Error(t, err)
	require.Empty(t, spans.Ended())

	ctx, parent := tracer.Start(t.Context(), "job")
	_, err = c.Messages.Post(ctx, client.Post{Channel: "C1", Text: "words"})
	require.ErrorIs(t, err, client.ErrNoChannel)
	call := spans.Ended()[0]
	require.Equal(t, "slack chat.postMessage", call.Name())
	require.Equal(t, parent.SpanContext().SpanID(), call.Parent().SpanID())
	said := map[string]string{}
	for _, a := range call.Attributes() {
		said[string(a.Key)] = a.Value.String()
	}
	require.Equal(t, map[string]string{
		"slack.method": "chat.postMessage", "slack.error": "channel_not_found", "darkroom.outcome": "no such channel", "http.response.status_code": "200",
	}, said)
}
