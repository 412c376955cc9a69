package bot_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"darkroom/bot"
)

// FuzzServer sends signed garbage. The server never panics and never answers with an unexpected status. An
// accepted request has the same identity when it is replayed.
func FuzzServer(f *testing.F) {
	for _, body := range []string{
		"", "payload=", "payload=%7B", "ssl_check=1", "a=%zz", commandBody, eventBody, interactive(clickBody), interactive(submitBody),
		"command=%2Forder&user_id=0&trigger_id=\xc9", interactive(strings.Repeat("[", 5000)), `{"type":"event_callback","event":null}`, `{"type":"event_callback","event":{"type":"message","user":{}}}`,
		interactive(`{"type":"message_action","user":{"id":"U"},"message":{"blocks":[{"type":"rich_text","elements":[{"type":"x"}]}]}}`),
		interactive(`{"type":"view_submission","user":{"id":"U"},"view":{"id":"V","blocks":[null,{"type":"input"}],"state":{"values":null}}}`),
	} {
		f.Add(body, strings.HasPrefix(body, "{"))
	}
	f.Fuzz(func(t *testing.T, body string, isJSON bool) {
		router, got := recorder(t)
		contentType := form
		if isJSON {
			contentType = "application/json"
		}
		server := bot.NewServer(secret, router, nil)
		for range 2 {
			switch w := serve(server, signed(t, bot.PathEvents, contentType, body)); w.Code {
			case http.StatusOK, http.StatusBadRequest, http.StatusRequestEntityTooLarge:
			default:
				t.Fatalf("status %d", w.Code)
			}
		}
		all := got()
		for i, q := range all[:len(all)/2] {
			if q.ID == "" || q.ID != all[len(all)/2+i].ID {
				t.Fatalf("identities %q and %q", q.ID, all[len(all)/2+i].ID)
			}
			job, err := json.Marshal(q)
			if err != nil {
				t.Fatalf("not the body of a job: %v", err)
			}
			var back bot.Request
			if err := json.Unmarshal(job, &back); err != nil || back.ID != q.ID {
				t.Fatalf("the body of a job cannot be read: %v", err)
			}
		}
	})
}

// FuzzDecode does the same for payloads of other transports.
func FuzzDecode(f *testing.F) {
	for _, payload := range []string{"", "null", "{}", clickBody, submitBody, eventBody, `{"command":"/order","user_id":"U1","is_enterprise_install":7}`, strings.Repeat(`{"a":`, 3000)} {
		f.Add([]byte(payload))
	}
	failing := bot.NewRouter(nil)
	for _, on := range []func(string, bot.HandlerFunc){failing.Command, failing.Action, failing.Submit, failing.Options} {
		on("*", func(context.Context, bot.Request) (bot.Reply, error) { panic("always") })
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		all, _ := bot.DecodeInteraction(payload, at)
		if q, err := bot.DecodeCommand(payload, at); err == nil {
			all = append(all, q)
		}
		if q, err := bot.DecodeEvent(payload, at); err == nil {
			all = append(all, q)
		}
		for _, q := range all {
			if reply := failing.Handle(t.Context(), q); q.Kind == bot.KindSubmit && reply.Body == nil {
				t.Fatal("a form that failed was closed")
			}
		}
	})
}
