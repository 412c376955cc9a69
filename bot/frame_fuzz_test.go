package bot

import (
	"context"
	"strings"
	"testing"
	"time"
)

// FuzzFrame reads garbage from a socket. It never panics, and never acknowledges a frame without an id or
// with more bytes than Slack accepts.
func FuzzFrame(f *testing.F) {
	for _, data := range []string{
		"", "null", "[]", `{"type":"hello","num_connections":"two"}`, `{"type":"disconnect","reason":7}`,
		`{"envelope_id":"e","type":"slash_commands","accepts_response_payload":true,"payload":{"command":"/order","user_id":"U1"}}`,
		`{"envelope_id":"e","type":"events_api","retry_attempt":-1,"payload":{"type":"event_callback","event":{"type":"message"}}}`,
		`{"envelope_id":"e","type":"interactive","payload":{"type":"block_actions","user":{"id":"U1"},"actions":[{"action_id":"a"}]}}`,
		`{"envelope_id":"` + strings.Repeat("e", maxAck) + `","type":"x"}`, strings.Repeat(`{"payload":`, 200),
	} {
		f.Add([]byte(data))
	}
	router := NewRouter(nil)
	long := strings.Repeat("<", maxAck)
	router.Command("*", func(context.Context, Request) (Reply, error) { return Ephemeral(long), nil })
	router.Action("*", func(context.Context, Request) (Reply, error) { panic("always") })
	router.Submit("*", func(context.Context, Request) (Reply, error) {
		return Errors(map[string]string{"a": "no", "b": long}), nil
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		frame, err := decodeFrame(data)
		if err != nil || frame.Type == frameHello || frame.Type == frameDisconnect {
			return
		}
		ack, _ := frame.answer(t.Context(), router, time.Now())
		switch {
		case len(ack) >= maxAck:
			t.Fatal("an acknowledgement that Slack drops")
		case frame.ID == "":
			t.Fatal("an envelope without id")
		}
	})
}
