package page_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/page"
	"darkroom/sandbox/workspace"
)

type object = map[string]any

// world is a workspace with its page and a tiny app: /order opens a form, a submission is
// answered as told, an external select is offered what was typed.
type world struct {
	*workspace.Workspace
	t      *testing.T
	page   *page.Page
	submit string
	heard  chan object // interactions
}

func start(t *testing.T, o page.Options) *world {
	t.Helper()
	w := &world{t: t, Workspace: workspace.New(workspace.Options{AckLimit: time.Second}), heard: make(chan object, 64)}
	require.NoError(t, w.Start())
	t.Cleanup(w.Close)
	app := httptest.NewServer(http.HandlerFunc(w.app))
	t.Cleanup(app.Close)
	w.SetAppURL(app.URL)
	o.Workspace = w.Workspace
	o.Commands = []page.Command{{Command: "/order", UsageHint: "new [urls…] | list"}}
	w.page = page.New(o)
	t.Cleanup(w.page.Close)
	w.Mount(w.page)
	return w
}

func (w *world) app(rw http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	form, _ := url.ParseQuery(string(body))
	var payload object
	_ = json.Unmarshal([]byte(form.Get("payload")), &payload)
	trigger := form.Get("trigger_id")
	rw.Header().Set("Content-Type", "application/json")
	switch payload["type"] {
	case "block_actions":
		w.heard <- payload
	case "view_submission":
		_, _ = io.WriteString(rw, w.submit)
		w.heard <- payload
	case "block_suggestion":
		_ = json.NewEncoder(rw).Encode(object{"option_groups": []any{object{"label": plain("Found"), "options": []any{option(payload["value"].(string))}}}})
	case "shortcut", "message_action":
		trigger, _ = payload["trigger_id"].(string)
	}
	if trigger != "" {
		w.api("views.open", object{"trigger_id": trigger, "view": orderForm()})
	}
}

func plain(text string) object { return object{"type": "plain_text", "text": text} }

func option(text string) object { return object{"text": plain(text), "value": text} }

func orderForm() object {
	return object{"type": "modal", "title": plain("New photo order"), "submit": plain("Place order"), "blocks": []any{
		object{"type": "input", "block_id": "name", "label": plain("Project name"), "element": object{"type": "plain_text_input", "action_id": "typed"}},
		object{"type": "input", "block_id": "photos", "optional": true, "label": plain("Photos"), "element": object{
			"type": "file_input", "action_id": "files", "max_files": 2, "filetypes": []any{"jpg", "png"},
		}},
		object{"type": "input", "block_id": "who", "optional": true, "label": plain("Customer"), "element": object{
			"type": "external_select", "action_id": "find", "min_query_length": 1,
		}},
		object{"type": "input", "block_id": "where", "optional": true, "label": plain("Post to"), "element": object{
			"type": "conversations_select", "action_id": "place", "default_to_current_conversation": true,
		}},
	}}
}

// api calls a method of the Web API as the app.
func (w *world) api(method string, args object) object {
	body, _ := json.Marshal(args)
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, w.APIURL()+method, bytes.NewReader(body))
	if err != nil {
		return nil
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer xoxb-sandbox-token")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil
	}
	defer func() { _ = answer.Body.Close() }()
	var out object
	_ = json.NewDecoder(answer.Body).Decode(&out)
	return out
}

// post is the app's message in #shoots.
func (w *world) post(args object) string {
	w.t.Helper()
	if args["channel"] == nil {
		args["channel"] = "C0SHOOTS"
	}
	out := w.api("chat.postMessage", args)
	require.Equal(w.t, true, out["ok"], "%v", out)
	return out["ts"].(string)
}

// send is one request as a browser makes it.
func (w *world) send(method, path, kind string, body io.Reader, change ...func(*http.Request)) (int, http.Header, []byte) {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), method, w.URL()+path, body)
	require.NoError(w.t, err)
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	for _, do := range change {
		do(request)
	}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(w.t, err)
	defer func() { _ = answer.Body.Close() }()
	out, err := io.ReadAll(answer.Body)
	require.NoError(w.t, err)
	return answer.StatusCode, answer.Header, out
}

func (w *world) get(path string) (int, http.Header, []byte) {
	w.t.Helper()
	return w.send(http.MethodGet, path, "", http.NoBody)
}

// try does an act and returns the status and the answer.
func (w *world) try(user, act string, body object) (int, object) {
	w.t.Helper()
	encoded, err := json.Marshal(body)
	require.NoError(w.t, err)
	status, _, answer := w.send(http.MethodPost, "/page/as/"+user+"/"+act, "application/json", bytes.NewReader(encoded))
	var out object
	require.NoError(w.t, json.Unmarshal(answer, &out), "%s", answer)
	return status, out
}

// do is an act that succeeds.
func (w *world) do(user, act string, body object) object {
	w.t.Helper()
	status, out := w.try(user, act, body)
	require.Equal(w.t, http.StatusOK, status, "%v", out)
	return out
}

// refused is an act that does not succeed, and what the person is told.
func (w *world) refused(user, act string, body object) (int, string) {
	w.t.Helper()
	status, out := w.try(user, act, body)
	require.NotEqual(w.t, http.StatusOK, status)
	return status, out["error"].(string)
}

type picked struct {
	name    string
	content []byte
}

// stage uploads files and returns their refs, or the refusal.
func (w *world) stage(user string, files ...picked) (int, []string, object) {
	w.t.Helper()
	read, write := io.Pipe()
	form := multipart.NewWriter(write)
	go func() {
		for _, f := range files {
			if part, err := form.CreateFormFile("files", f.name); err == nil {
				_, _ = part.Write(f.content)
			}
		}
		_ = form.Close()
		_ = write.Close()
	}()
	status, _, answer := w.send(http.MethodPost, "/page/as/"+user+"/upload", form.FormDataContentType(), read)
	_ = read.Close()
	var out object
	require.NoError(w.t, json.Unmarshal(answer, &out), "%s", answer)
	var refs []string
	list, _ := out["files"].([]any)
	for _, f := range list {
		refs = append(refs, f.(object)["ref"].(string))
	}
	return status, refs, out
}

// tab is one open stream.
type tab struct {
	t      *testing.T
	states chan object // closed when the stream ends
}

// open follows what is before the person.
func (w *world) open(user, query string) *tab {
	w.t.Helper()
	return w.follow("/page/as/" + user + "/stream?" + query)
}

// follow follows any stream of the page.
func (w *world) follow(path string) *tab {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.URL()+path, http.NoBody)
	require.NoError(w.t, err)
	answer, err := http.DefaultClient.Do(request) //nolint:bodyclose // the goroutine below does
	require.NoError(w.t, err)
	require.Equal(w.t, http.StatusOK, answer.StatusCode)
	require.Equal(w.t, "text/event-stream", answer.Header.Get("Content-Type"))
	one := &tab{t: w.t, states: make(chan object, 1024)}
	go one.read(answer.Body)
	return one
}

func (x *tab) read(body io.ReadCloser) {
	defer close(x.states)
	defer func() { _ = body.Close() }()
	lines := bufio.NewReader(body)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		if data, found := strings.CutPrefix(line, "data: "); found {
			var state object
			if json.Unmarshal([]byte(data), &state) == nil {
				x.states <- state
			}
		}
	}
}

// sees waits until what is before the person fits.
func (x *tab) sees(what string, fits func(object) bool) object {
	x.t.Helper()
	patience := time.After(20 * time.Second)
	var last object
	for {
		select {
		case state, open := <-x.states:
			require.True(x.t, open, "%s: the stream ended; last: %v", what, last)
			if last = state; fits(state) {
				return state
			}
		case <-patience:
			require.Fail(x.t, "never seen: "+what, "%v", last)
		}
	}
}

// now is what is before the person at this moment.
func (w *world) now(user, query string) object {
	w.t.Helper()
	return w.open(user, query).sees("anything", func(object) bool { return true })
}

func list(value any) []object {
	all, _ := value.([]any)
	out := make([]object, len(all))
	for i, one := range all {
		out[i], _ = one.(object)
	}
	return out
}

// find is the member of a list whose key has the value; nil: not found.
func find(all any, key, value string) object {
	for _, one := range list(all) {
		if one[key] == value {
			return one
		}
	}
	return nil
}
