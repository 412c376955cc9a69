package crowd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"time"
)

// view is a window that the app opened for the person of a workspace.
type view struct {
	id      string
	trigger string
	edits   int
	shows   object
}

func (v *view) text(name string) string {
	text, _ := v.shows[name].(string)
	return text
}

// object is the view as Slack shows it to the app.
func (v *view) object(w *workspace, values object) object {
	shown := object{}
	maps.Copy(shown, v.shows)
	shown["id"], shown["hash"], shown["team_id"], shown["app_id"], shown["bot_id"] = v.id, v.hash(), w.id, appID, botID
	shown["root_view_id"], shown["previous_view_id"], shown["app_installed_team_id"] = v.id, nil, w.id
	shown["state"] = object{"values": values}
	return shown
}

func (v *view) hash() string { return fmt.Sprintf("%s.%d", v.id, v.edits) }

// trigger is a new one, by which a window may be opened.
func (w *workspace) trigger() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.serial++
	return fmt.Sprintf("1.%s.%d", w.id, w.serial)
}

// window is views.open and views.update; the caller holds the lock of the workspace.
func (c *Crowd) window(w *workspace, method string, with url.Values) (object, error) {
	var shows object
	if json.Unmarshal([]byte(with.Get("view")), &shows) != nil {
		return nil, errors.New("invalid_arguments")
	}
	c.overheard(w, url.Values{"text": {with.Get("view")}})
	external, _ := shows["external_id"].(string)
	if method == "views.open" {
		trigger := with.Get("trigger_id")
		if !strings.HasPrefix(trigger, "1."+w.id+".") {
			c.violations.add(fmt.Errorf("%s opened a window by %s", w.id, trigger))
			return nil, errors.New("invalid_trigger_id")
		}
		if w.viewOf("", external) != nil {
			return nil, errors.New("duplicate_external_id")
		}
		w.serial++
		v := &view{id: fmt.Sprintf("V0CROWD%06d", w.serial), trigger: trigger, shows: shows}
		w.views = append(w.views, v)
		return object{"view": v.object(w, object{})}, nil
	}
	v := w.viewOf(with.Get("view_id"), with.Get("external_id"))
	switch hash := with.Get("hash"); {
	case v == nil:
		return nil, errors.New("not_found")
	case hash != "" && hash != v.hash():
		return nil, errors.New("hash_conflict")
	}
	v.shows = shows
	v.edits++
	return object{"view": v.object(w, object{})}, nil
}

// viewOf finds an open window by its id or the app's; the caller holds the lock.
func (w *workspace) viewOf(id, external string) *view {
	for _, v := range w.views {
		if id != "" && v.id == id || external != "" && v.text("external_id") == external {
			return v
		}
	}
	return nil
}

// opening is how long a person waits for a form.
const opening = 10 * time.Second

// filled waits for the form that a trigger opens; nil: none.
func (c *Crowd) filled(ctx context.Context, w *workspace, trigger string) *view {
	for deadline := time.Now().Add(opening); time.Now().Before(deadline); {
		w.mu.Lock()
		for _, v := range w.views {
			if v.trigger == trigger && v.shows["submit"] != nil && v.text("private_metadata") != "" {
				w.mu.Unlock()
				return v
			}
		}
		w.mu.Unlock()
		if !pause(ctx, 20*time.Millisecond) {
			break
		}
	}
	return nil
}

// submit sends a form, its words filled in, and does what the answer says.
func (c *Crowd) submit(ctx context.Context, app string, w *workspace, v *view, words string) bool {
	trigger := w.trigger()
	w.mu.Lock()
	payload, err := json.Marshal(object{
		"type": "view_submission", "token": "legacy", "api_app_id": appID, "is_enterprise_install": false, "enterprise": nil,
		"team": object{"id": w.id, "domain": strings.ToLower(w.id)}, "user": object{"id": person, "name": "maria", "username": "maria", "team_id": w.id},
		"trigger_id": trigger, "view": v.object(w, v.values(words)), "response_urls": []any{},
	})
	w.mu.Unlock()
	if err != nil {
		c.violations.add(err)
		return false
	}
	answer, taken := c.ask(ctx, app+"/slack/interactions", "application/x-www-form-urlencoded", []byte(url.Values{"payload": {string(payload)}}.Encode()), 0)
	var reply struct {
		Action string            `json:"response_action"`
		View   object            `json:"view"`
		Errors map[string]string `json:"errors"`
	}
	if taken && len(bytes.TrimSpace(answer)) > 0 && json.Unmarshal(answer, &reply) != nil {
		c.violations.add(fmt.Errorf("%s: a form was answered with %.200q", w.id, answer))
	}
	if len(reply.Errors) > 0 {
		c.refusals.add(fmt.Sprintf("“%s”", reference.ReplaceAllString(fmt.Sprint(reply.Errors), "")))
		return false
	}
	if taken && reply.View != nil {
		w.mu.Lock()
		v.shows = reply.View
		v.edits++
		w.mu.Unlock()
	}
	return taken
}

// values are what a form holds: nothing but the words, in the first box for changes.
func (v *view) values(words string) object {
	values := object{}
	blocks, _ := v.shows["blocks"].([]any)
	for _, b := range blocks {
		block, _ := b.(object)
		element, _ := block["element"].(object)
		id, _ := block["block_id"].(string)
		action, _ := element["action_id"].(string)
		kind, _ := element["type"].(string)
		if block["type"] != "input" {
			continue
		}
		held := object{"type": kind}
		switch kind {
		case "plain_text_input":
			held["value"] = element["initial_value"]
			if (strings.HasPrefix(id, "all:") || strings.HasPrefix(id, "image:")) && words != "" {
				held["value"], words = words, ""
			}
		case "checkboxes":
			held["selected_options"] = []any{}
			if chosen, has := element["initial_options"]; has {
				held["selected_options"] = chosen
			}
		}
		values[id] = object{action: held}
	}
	return values
}
