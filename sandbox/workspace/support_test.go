package workspace_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

type object = map[string]any

const token = "xoxb-sandbox-token"

func start(t *testing.T, o workspace.Options) *workspace.Workspace {
	t.Helper()
	ws := workspace.New(o)
	require.NoError(t, ws.Start())
	t.Cleanup(ws.Close)
	return ws
}

// post sends any body and returns status, header and body of the answer.
func post(t *testing.T, address, bearer, kind, body string) (int, http.Header, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", kind)
	if bearer != "" {
		request.Header.Set("Authorization", "Bearer "+bearer)
	}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	out, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, answer.Header, out
}

// api calls a method of the Web API with JSON.
func api(t *testing.T, ws *workspace.Workspace, method string, args object) object {
	t.Helper()
	body, err := json.Marshal(args)
	require.NoError(t, err)
	_, _, answer := post(t, ws.APIURL()+method, token, "application/json", string(body))
	var out object
	require.NoError(t, json.Unmarshal(answer, &out), "%s", answer)
	return out
}

func say(t *testing.T, ws *workspace.Workspace, args object) string {
	t.Helper()
	if args["channel"] == nil {
		args["channel"] = "C0SHOOTS"
	}
	out := api(t, ws, "chat.postMessage", args)
	require.Equal(t, true, out["ok"], "%v", out)
	ts, _ := out["ts"].(string)
	return ts
}

func refusedFor(out object) string {
	code, _ := out["error"].(string)
	metadata, _ := out["response_metadata"].(object)
	messages, _ := metadata["messages"].([]any)
	for _, m := range messages {
		code += " " + m.(string)
	}
	return code
}

// app is a tiny app: what it heard, and what it answers.
type app struct {
	*httptest.Server
	mu     sync.Mutex
	heard  []heard
	answer func(heard) (int, string)
}

type heard struct {
	path   string
	header http.Header
	body   []byte
	form   url.Values
	json   object // the event's envelope, or an interaction's payload
}

func (h heard) trigger() string {
	if id := h.form.Get("trigger_id"); id != "" {
		return id
	}
	id, _ := h.json["trigger_id"].(string)
	return id
}

func listen(t *testing.T, ws *workspace.Workspace, answer func(heard) (int, string)) *app {
	t.Helper()
	a := &app{answer: answer}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	ws.SetAppURL(a.URL)
	return a
}

func (a *app) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	h := heard{path: r.URL.Path, header: r.Header, body: body}
	switch r.Header.Get("Content-Type") {
	case "application/json":
		_ = json.Unmarshal(body, &h.json)
	default:
		h.form, _ = url.ParseQuery(string(body))
		_ = json.Unmarshal([]byte(h.form.Get("payload")), &h.json)
	}
	a.mu.Lock()
	a.heard = append(a.heard, h)
	a.mu.Unlock()
	status, text := http.StatusOK, ""
	if a.answer != nil {
		status, text = a.answer(h)
	}
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(status)
	_, _ = io.Copy(rw, bytes.NewBufferString(text))
}

func (a *app) all() []heard {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]heard{}, a.heard...)
}

// events are the inner events heard, without retries' repeats left out.
func (a *app) events(kind string) []object {
	var found []object
	for _, h := range a.all() {
		event, _ := h.json["event"].(object)
		if event["type"] == kind {
			found = append(found, event)
		}
	}
	return found
}

func eventually(t *testing.T, holds func() bool, what string) {
	t.Helper()
	require.Eventually(t, holds, 5*time.Second, 2*time.Millisecond, what)
}

func text(s string) object { return object{"type": "plain_text", "text": s} }

func mrkdwn(s string) object { return object{"type": "mrkdwn", "text": s} }

func section(s string) object { return object{"type": "section", "text": mrkdwn(s)} }

func actions(elements ...any) object { return object{"type": "actions", "elements": elements} }

func button(s string) object {
	return object{"type": "button", "text": text(s), "action_id": "do:" + s, "value": "v"}
}

func input(id, label string) object {
	return object{
		"type": "input", "block_id": id, "label": text(label), "element": object{"type": "plain_text_input", "action_id": "value"},
	}
}

func modal(blocks ...any) object {
	return object{"type": "modal", "title": text("Title"), "submit": text("Send"), "callback_id": "form", "blocks": append([]any{}, blocks...)}
}

func with(o object, key string, value any) object {
	copied := maps.Clone(o)
	copied[key] = value
	return copied
}

func repeat(n int, what any) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = what
	}
	return out
}

func long(n int) string { return strings.Repeat("x", n) }

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	require.NoError(t, err)
	return string(out)
}

func decode(body []byte, into any) error { return json.Unmarshal(body, into) }

func get(t *testing.T, address, bearer string) (int, http.Header, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(t, err)
	if bearer != "" {
		request.Header.Set("Authorization", "Bearer "+bearer)
	}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	out, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, answer.Header, out
}
