package person_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
)

type object = map[string]any

// world is a workspace with a tiny app that opens one form and answers
// clicks.
type world struct {
	*workspace.Workspace
	t      *testing.T
	clicks chan object
	submit string // answer to submissions
	view   object // opened by /order, by the shortcut and by message shortcuts
}

func start(t *testing.T) *world {
	t.Helper()
	w := &world{Workspace: workspace.New(workspace.Options{}), t: t, clicks: make(chan object, 16), view: form()}
	require.NoError(t, w.Start())
	t.Cleanup(w.Close)
	app := httptest.NewServer(w.app())
	t.Cleanup(app.Close)
	w.SetAppURL(app.URL)
	return w
}

// someone has little patience, so that what must not be found fails soon.
func (w *world) someone(name string) *person.Person {
	return person.New(w.Workspace, name, person.Options{Patience: 30 * time.Millisecond})
}

func (w *world) app() http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		form, _ := url.ParseQuery(string(body))
		var payload object
		_ = json.Unmarshal([]byte(form.Get("payload")), &payload)
		trigger := form.Get("trigger_id")
		rw.Header().Set("Content-Type", "application/json")
		switch payload["type"] {
		case "block_actions":
			w.clicks <- payload
			return
		case "view_submission":
			_, _ = rw.Write([]byte(w.submit))
			w.clicks <- payload
			return
		case "block_suggestion":
			_, _ = rw.Write([]byte(encoded(object{"options": []any{option("Jones"), option(payload["value"].(string))}})))
			return
		case "shortcut", "message_action":
			trigger, _ = payload["trigger_id"].(string)
		}
		if trigger != "" {
			go w.api("views.open", object{"trigger_id": trigger, "view": w.view})
		}
	})
}

func encoded(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(body)
}

func (w *world) api(method string, args object) object {
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.APIURL()+method, bytes.NewBufferString(encoded(args)))
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

// say posts as the app.
func (w *world) say(args object) string {
	w.t.Helper()
	if args["channel"] == nil {
		args["channel"] = "C0SHOOTS"
	}
	if args["text"] == nil {
		args["text"] = "fallback"
	}
	out := w.api("chat.postMessage", args)
	require.Equal(w.t, true, out["ok"], "%v", out)
	return out["ts"].(string)
}

func text(s string) object { return object{"type": "plain_text", "text": s} }

func mrkdwn(s string) object { return object{"type": "mrkdwn", "text": s} }

func section(s string) object { return object{"type": "section", "text": mrkdwn(s)} }

func button(label string) object {
	return object{"type": "button", "text": text(label), "action_id": "do:" + label, "value": label}
}

func actions(elements ...any) object { return object{"type": "actions", "elements": elements} }

func option(label string) object { return object{"text": text(label), "value": label} }

func field(label string, element object) object {
	element["action_id"] = "value"
	return object{"type": "input", "block_id": label + "!", "label": text(label), "element": element}
}

func form() object {
	images := field("Image URLs", object{"type": "plain_text_input", "multiline": true, "placeholder": text("One per line")})
	files := field("Photos", object{"type": "file_input", "max_files": 2})
	files["optional"] = true
	boxes := field("Extras", object{"type": "checkboxes", "options": []any{option("Rush"), option("Print")}})
	boxes["optional"] = true
	return object{
		"type": "modal", "title": text("New photo order"), "submit": text("Place order"), "close": text("Not now"), "callback_id": "new",
		"blocks": []any{
			field("Post to", object{"type": "conversations_select", "default_to_current_conversation": true}),
			images, files, boxes,
			field("Service type", object{"type": "static_select", "options": []any{option("Basic"), option("Extensive")}, "initial_option": option("Basic")}),
			field("Client", object{"type": "external_select", "min_query_length": 0}),
			field("Editors", object{"type": "multi_users_select"}),
		},
	}
}
