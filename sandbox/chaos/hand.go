package chaos

import (
	"regexp"
	"slices"
	"strings"

	"darkroom/sandbox/workspace"
)

// hand is one person at one Slack window, who goes by labels and text as sandbox/person
// does. It looks when it is asked to, not at every change: hundreds of people do.
type hand struct {
	ws      *workspace.Workspace
	win     *workspace.Window
	user    string
	channel string
}

type object = map[string]any

// words is all text in blocks.
func words(v any) string {
	var out strings.Builder
	gather(&out, v)
	return out.String()
}

func gather(out *strings.Builder, v any) {
	switch v := v.(type) {
	case object:
		for key, inner := range v {
			if text, ok := inner.(string); ok && (key == "text" || key == "initial_value") {
				out.WriteString(text + "\n")
				continue
			}
			gather(out, inner)
		}
	case []any:
		for _, inner := range v {
			gather(out, inner)
		}
	case []object:
		for _, inner := range v {
			gather(out, inner)
		}
	}
}

// modal is the view before the person, and what it says.
func (h *hand) modal() (v workspace.View, says string, open bool) {
	v, open = h.win.Modal()
	if !open {
		return v, "", false
	}
	says = v.Title + "\n" + words(v.Blocks)
	for _, problem := range v.Errors {
		says += problem + "\n"
	}
	return v, says, true
}

// input is one field of a form.
type input struct {
	workspace.Target
	kind    string
	element object
}

// fieldOf finds the input with such a label.
func fieldOf(v workspace.View, labeled func(string) bool) (input, bool) {
	for _, b := range workspace.Every(v.Blocks) {
		element, _ := b["element"].(object)
		label := textOf(b["label"])
		if element == nil { // a menu beside its label
			element, _ = b["accessory"].(object)
			label = strings.Trim(textOf(b["text"]), "*")
		}
		if element == nil || !labeled(label) {
			continue
		}
		block, _ := b["block_id"].(string)
		action, _ := element["action_id"].(string)
		kind, _ := element["type"].(string)
		return input{workspace.Target{View: v.ID, Block: block, Action: action}, kind, element}, true
	}
	return input{}, false
}

// field finds the input with the label.
func field(v workspace.View, label string) (input, bool) {
	return fieldOf(v, func(text string) bool { return text == label })
}

// textOf is the text of a text object.
func textOf(v any) string {
	o, _ := v.(object)
	text, _ := o["text"].(string)
	return text
}

// option finds what an input offers by its text.
func (in input) option(text string) (object, bool) {
	options, _ := in.element["options"].([]any)
	for _, o := range options {
		if option, _ := o.(object); option != nil && textOf(option["text"]) == text {
			return option, true
		}
	}
	return nil, false
}

// choose chooses what an input offers; false when that is not offered.
func (h *hand) choose(in input, text string) bool {
	option, offered := in.option(text)
	var value any = option
	if in.kind == "checkboxes" {
		value = []any{option}
	}
	return offered && h.win.Act(in.Target, workspace.StateOf(in.kind, value), workspace.Once) == nil
}

// fill types into the fields; false when one is not there.
func (h *hand) fill(v workspace.View, texts map[string]string) bool {
	for label, text := range texts {
		in, found := field(v, label)
		if !found || h.win.Act(in.Target, workspace.StateOf(in.kind, text), workspace.Once) != nil {
			return false
		}
	}
	return true
}

// press presses the button with the label in a view or a message; false when it is not
// there.
func (h *hand) press(at workspace.Target, blocks []object, label string, times workspace.Times) bool {
	for _, b := range workspace.Every(blocks) {
		for _, e := range workspace.Elements(b) {
			text, _ := e["text"].(object)
			if e["type"] != "button" || text["text"] != label {
				continue
			}
			at.Block, _ = b["block_id"].(string)
			at.Action, _ = e["action_id"].(string)
			return h.win.Act(at, nil, times) == nil && h.win.Toast() == ""
		}
	}
	return false
}

// pressOn presses a button of a message.
func (h *hand) pressOn(m workspace.Message, label string, times workspace.Times) bool {
	return h.press(workspace.Target{Channel: m.Channel, TS: m.TS}, m.Blocks, label, times)
}

// told is all that was said to this person alone, from the nth message on.
func (h *hand) told(from int) []string {
	var said []string
	for _, m := range slices.Concat(h.ws.Ephemerals(h.user), h.ws.DMs(h.user)) {
		said = append(said, m.Text+"\n"+words(m.Blocks))
	}
	return said[min(from, len(said)):]
}

// heard counts what only this person was told: in a channel, and by direct message.
type heard struct{ whispers, direct int }

// heard counts it: new messages come last.
func (h *hand) heard() heard {
	return heard{len(h.ws.Ephemerals(h.user)), len(h.ws.DMs(h.user))}
}

// toldSince is what came after that.
func (h *hand) toldSince(before heard) string {
	var out strings.Builder
	for _, m := range slices.Concat(h.ws.Ephemerals(h.user)[before.whispers:], h.ws.DMs(h.user)[before.direct:]) {
		out.WriteString(m.Text + "\n" + words(m.Blocks))
	}
	return out.String()
}

var (
	// unconfirmed is what Slack or the app say when nobody knows whether it was taken.
	unconfirmed = regexp.MustCompile(`could not confirm this|We had some trouble connecting|failed with the error|did not respond in time`)
	// otherwise is how people are told that what they asked for was not done, or that
	// nobody knows.
	otherwise = regexp.MustCompile(`[Nn]ot placed|[Nn]ot sent|not canceled|not approved|not added|No changes were requested|Nothing was (approved|sent|changed|requested)` +
		`|do not know (whether|yet)|Nobody knows whether|cannot tell yet|stopped trying|declined your order|has this|has had|already|no longer`)
	// repeated is how they are told that it had been done before.
	repeated = regexp.MustCompile(`this message already|these photos already|is approved already|is canceled already|are being made already|has already requested`)
	// promised is how they are told that it is still going to be done.
	promised = regexp.MustCompile(`as soon as the service is back|when it is back|when the photo service is back|Still checking|nothing you need to do|nothing for you to do|You need not do anything`)
)
