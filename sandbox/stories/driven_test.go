package stories

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"darkroom/sandbox"
	"darkroom/sandbox/workspace"
)

// driven are the names of all that people did in the stories, where Slack brought it to the app by [delivery].
var driven = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

// record notes what reached the app from a workspace of this story, and was acknowledged.
func record(w *workspace.Workspace) {
	driven.Lock()
	defer driven.Unlock()
	for _, d := range w.Deliveries() {
		if !d.Acknowledged() || (d.Socket > 0) != (delivery() == sandbox.OverSocket) {
			continue
		}
		for _, name := range namesIn(d) {
			driven.names[name] = true
		}
	}
}

// payload is as much of a delivery as tells what was done.
type payload struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Callback string `json:"callback_id"`
	Action   string `json:"action_id"`
	Actions  []struct {
		ID string `json:"action_id"`
	} `json:"actions"`
	View struct {
		Callback string `json:"callback_id"`
	} `json:"view"`
	Event struct {
		Type    string `json:"type"`
		Channel string `json:"channel_type"`
	} `json:"event"`
}

// namesIn says what was done, as the tables of the app and its manifest call it.
func namesIn(d workspace.Delivery) []string {
	p := payloadOf(d)
	switch d.Kind {
	case "command":
		verb, _, _ := strings.Cut(strings.TrimSpace(p.Text), " ")
		return []string{"verb " + verb}
	case "event":
		return []string{"event " + p.Event.Type, "event " + p.Event.Type + "." + p.Event.Channel + "s"}
	case "shortcut", "message_action":
		return []string{"shortcut " + p.Callback}
	case "block_suggestion":
		return []string{"options " + p.Action}
	case "view_submission":
		return []string{"submit " + p.View.Callback}
	case "view_closed":
		return []string{"close " + p.View.Callback}
	}
	var names []string
	for _, a := range p.Actions {
		names = append(names, "action "+a.ID)
	}
	return names
}

// payloadOf reads a delivery: over a socket it is in an envelope, over HTTP in a form or
// bare.
func payloadOf(d workspace.Delivery) (p payload) {
	raw := d.Body
	if form, err := url.ParseQuery(string(raw)); err == nil && d.Socket == 0 {
		if form.Get("command") != "" {
			return payload{Text: form.Get("text")}
		}
		if form.Has("payload") {
			raw = []byte(form.Get("payload"))
		}
	}
	var envelope struct {
		Payload json.RawMessage `json:"payload"`
	}
	if json.Unmarshal(raw, &envelope) == nil && len(envelope.Payload) > 0 {
		raw = envelope.Payload
	}
	_ = json.Unmarshal(raw, &p) // what cannot be read has no name, and so counts for nothing
	return p
}

// undriven are the names of what the app offers and no story did.
func undriven() ([]string, error) {
	offered, err := offers()
	if err != nil {
		return nil, err
	}
	driven.Lock()
	defer driven.Unlock()
	var missing []string
	for _, name := range offered {
		if !wasDriven(name) {
			missing = append(missing, name+" over "+string(delivery()))
		}
	}
	return missing, nil
}

// wasDriven tells whether it was done; a name that ends in a colon stands for all that begin with it.
func wasDriven(name string) bool {
	if !strings.HasSuffix(name, ":") {
		return driven.names[name]
	}
	for one := range driven.names {
		if strings.HasPrefix(one, name) {
			return true
		}
	}
	return false
}

// offers are the names of all that a person can do, read from what the app declares: its
// manifest, and the names by which its cards and its table call buttons and forms.
func offers() ([]string, error) {
	names, err := declared()
	if err != nil {
		return nil, err
	}
	ids, err := constants()
	if err != nil {
		return nil, err
	}
	table, err := os.ReadFile("../../commands/table.go")
	if err != nil {
		return nil, err
	}
	for _, found := range regexp.MustCompile(`r\.(Submit|Close|Options)\(cards\.(\w+)`).FindAllSubmatch(table, -1) {
		names = append(names, strings.ToLower(string(found[1]))+" "+ids[string(found[2])])
	}
	for id, name := range ids {
		if strings.HasPrefix(id, "Action") {
			names = append(names, "action "+name)
		}
	}
	// The two ends of a page share the beginning of their names.
	names = append(names, "action list:newer", "action list:older", "action home:page:newer", "action home:page:older")
	slices.Sort(names)
	return names, nil
}

// constants are the ids of the cards' buttons and forms, by the names they have in the
// code.
func constants() (map[string]string, error) {
	found, err := sources(regexp.MustCompile(`(?m)^\s*(?:const )?((?:Action|Callback)\w+)\s*=\s*"([^"]+)"`), "../../cards/*.go", "../../cards/*/*.go")
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	for _, one := range found {
		ids[one[1]] = one[2]
	}
	return ids, nil
}

// sources are all that a pattern finds in the app's code.
func sources(pattern *regexp.Regexp, globs ...string) (found [][]string, err error) {
	for _, glob := range globs {
		paths, err := filepath.Glob(glob)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			source, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			found = append(found, pattern.FindAllStringSubmatch(string(source), -1)...)
		}
	}
	return found, nil
}

// declared are the shortcuts and events of the manifest, and the verbs that the app explains.
func declared() ([]string, error) {
	raw, err := os.ReadFile("../../manifest.yml")
	if err != nil {
		return nil, err
	}
	var m struct {
		Features struct {
			Shortcuts []struct {
				Callback string `yaml:"callback_id"`
			} `yaml:"shortcuts"`
		} `yaml:"features"`
		Settings struct {
			Subscriptions struct {
				Events []string `yaml:"bot_events"`
			} `yaml:"event_subscriptions"`
		} `yaml:"settings"`
	}
	if err := yaml.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	var names []string
	verbs, err := sources(regexp.MustCompile(`\bVerb: "(\w+)", Usage:`), "../../commands/*.go", "../../commands/*/*.go")
	if err != nil {
		return nil, err
	}
	for _, verb := range verbs {
		names = append(names, "verb "+verb[1])
	}
	for _, s := range m.Features.Shortcuts {
		names = append(names, "shortcut "+s.Callback)
	}
	for _, event := range m.Settings.Subscriptions.Events {
		names = append(names, "event "+event)
	}
	return names, nil
}
