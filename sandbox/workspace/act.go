package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
)

// Target is one element before a person: in a view, or in a message of a
// channel.
type Target struct {
	View          string // the view's id; "" is a message
	Channel, TS   string
	Block, Action string
}

// Times is how often one act reaches the app.
type Times int

const (
	// Once is a click.
	Once Times = iota
	// Twice is a double click: two requests at once, each with its trigger.
	Twice
	// Replayed is one click delivered twice, byte for byte the same.
	Replayed
)

// triggers is how many different requests are made.
func (t Times) triggers() int {
	if t == Twice {
		return 2
	}
	return 1
}

var errNoApp = errors.New("the app is not in the workspace")

// ErrGone says that what was to be clicked is not there any more.
var ErrGone = errors.New("it is not there any more")

// Act changes an element to the state, or presses it when the state is nil,
// and delivers block_actions where Slack does: not for an input block without
// dispatch_action.
func (win *Window) Act(t Target, state map[string]any, times Times) error {
	w := win.w
	w.mu.Lock()
	b, e, v, m := w.find(win, t)
	if e == nil {
		w.mu.Unlock()
		return ErrGone
	}
	win.toast = ""
	if v != nil && state != nil && str(e, "type") != "overflow" {
		v.set(t, state)
	} else if m != nil && state != nil && str(e, "type") != "overflow" {
		win.inMessage(m).set(t, state)
	}
	var parcels []parcel
	if str(b, "type") != "input" || flag(b, "dispatch_action") {
		for range times.triggers() {
			parcels = append(parcels, w.interactionParcel(w.blockActions(win, t, e, state, v, m)))
		}
	}
	w.unlock()
	w.deliverAll(parcels, times, func(d Delivery) { w.interpretAction(win, d) })
	return nil
}

// set keeps what a person put into an element.
func (v *View) set(t Target, state object) {
	values := maps.Clone(v.Values)
	if values == nil {
		values = map[string]map[string]any{}
	}
	actions := maps.Clone(values[t.Block])
	if actions == nil {
		actions = map[string]any{}
	}
	actions[t.Action] = state
	values[t.Block] = actions
	v.Values = values
	errs := maps.Clone(v.Errors)
	delete(errs, t.Block)
	v.Errors = errs
}

// find is the target's block and element and where they are.
func (w *Workspace) find(win *Window, t Target) (b, e object, v *View, m *Message) {
	var blocks []object
	if t.View != "" {
		if v = w.views[t.View]; v == nil || v.User != win.user {
			return nil, nil, nil, nil
		}
		blocks = v.Blocks
	} else if m = w.shownTo(win.user, t.Channel, t.TS); m != nil {
		blocks = m.Blocks
	}
	for _, b := range everywhere(blocks) {
		if str(b, "block_id") != t.Block {
			continue
		}
		for _, e := range Elements(b) {
			if str(e, "action_id") == t.Action {
				return b, e, v, m
			}
		}
	}
	return nil, nil, v, m
}

// shownTo is a message, perhaps ephemeral, before a person.
func (w *Workspace) shownTo(user, channel, ts string) *Message {
	for _, m := range w.ephemerals {
		if m.TS == ts && m.To == user {
			return m
		}
	}
	if c := w.channel(channel); c == nil || !c.has(user) {
		return nil
	}
	return w.message(channel, ts)
}

func (w *Workspace) blockActions(win *Window, t Target, e, state object, v *View, m *Message) object {
	p := w.interaction(win, "block_actions")
	act := object{"type": e["type"], "action_id": t.Action, "block_id": t.Block, "action_ts": p["action_ts"]}
	for _, key := range []string{"text", "value", "style", "url"} {
		setIf(act, key, e[key], e[key] != nil && str(e, "type") == "button")
	}
	maps.Copy(act, state)
	p["actions"] = []object{act}
	if v != nil {
		p["container"] = object{"type": "view", "view_id": v.ID}
		p["view"] = w.told(v)
		return p
	}
	w.located(p, m)
	p["state"] = object{"values": w.carried(win.inMessage(m))}
	p["response_url"] = w.responseAddress(w.newResponse(&responseURL{channel: m.Channel, user: win.user, thread: m.threadOfReply(), original: m}))
	return p
}

// inMessage is what the person chose in a message, in this window.
func (win *Window) inMessage(m *Message) *View {
	if win.held == nil {
		win.held = map[string]*View{}
	}
	if win.held[m.TS] == nil {
		win.held[m.TS] = &View{}
	}
	win.held[m.TS].Blocks = m.Blocks
	return win.held[m.TS]
}

// Held is the state of the elements of a message before the person, by block
// id and action id.
func (win *Window) Held(m Message) map[string]map[string]any {
	win.w.mu.Lock()
	defer win.w.mu.Unlock()
	return win.w.carried(win.inMessage(&m))
}

// threadOfReply is where an answer to a click on the message is shown.
func (m *Message) threadOfReply() string {
	if m.ThreadTS == m.TS || m.Broadcast {
		return ""
	}
	return m.ThreadTS
}

// deliverAll sends the parcels, or one of them twice, all at once, and
// interprets each answer.
func (w *Workspace) deliverAll(parcels []parcel, times Times, interpret func(Delivery)) {
	if len(parcels) == 0 {
		return
	}
	if !w.Installed() {
		interpret(Delivery{Kind: parcels[0].kind, Err: errNoApp})
		return
	}
	if times == Replayed {
		d := w.prepared(parcels[0])
		w.together(2, func(int) { interpret(w.send(d)) })
		return
	}
	w.together(len(parcels), func(i int) { interpret(w.deliver(parcels[i])) })
}

func (w *Workspace) together(n int, do func(int)) {
	done := make(chan struct{}, n)
	for i := range n {
		go func() {
			defer func() { done <- struct{}{} }()
			do(i)
		}()
	}
	for range n {
		<-done
	}
}

func (w *Workspace) interpretAction(win *Window, d Delivery) {
	defer w.change()()
	if !d.Acknowledged() {
		win.toasted("This app did not respond in time (" + d.failure() + ")")
		return
	}
	var answer object
	if json.Unmarshal(d.Answer, &answer) == nil && answer["response_action"] != nil {
		w.violate("answer to "+d.Kind, "response_action answers view_submission only")
	}
}

// minQuery is how many characters it takes when the element does not say.
const minQuery = 3

// Suggest types into an external select: the app is asked for its options.
func (win *Window) Suggest(t Target, typed string) ([]map[string]any, error) {
	answer, err := win.Offered(t, typed)
	if err != nil {
		return nil, err
	}
	return offeredOptions(answer), nil
}

// Offered is Suggest with the options as the app arranged them: under "options", or in
// groups under "option_groups".
func (win *Window) Offered(t Target, typed string) (map[string]any, error) {
	w := win.w
	w.mu.Lock()
	_, e, v, m := w.find(win, t)
	if e == nil {
		w.mu.Unlock()
		return nil, ErrGone
	}
	if least, given := number(e["min_query_length"]); len([]rune(typed)) < int(least) || !given && len([]rune(typed)) < minQuery {
		w.mu.Unlock()
		return nil, fmt.Errorf("%q is too short for Slack to ask the app", typed)
	}
	p := w.interaction(win, "block_suggestion")
	p["action_id"], p["block_id"], p["value"] = t.Action, t.Block, typed
	delete(p, "trigger_id")
	if v != nil {
		p["view"], p["container"] = w.wireView(v), object{"type": "view", "view_id": v.ID}
	} else {
		w.located(p, m)
	}
	w.mu.Unlock()
	return w.interpretOptions(win, w.deliver(w.interactionParcel(p)))
}

func (w *Workspace) interpretOptions(win *Window, d Delivery) (object, error) {
	var answer object
	if !d.Acknowledged() || json.Unmarshal(d.Answer, &answer) != nil {
		defer w.change()()
		win.toasted("Results could not be loaded (" + d.failure() + ")")
		return nil, errors.New(win.toast)
	}
	c := w.newChecker(inModal)
	if groups := objects(answer["option_groups"]); len(groups) > 0 {
		c.groups("/option_groups", groups)
	} else if options := objects(answer["options"]); len(options) > 0 {
		c.options("/options", options, maxOptions, true)
	}
	if len(c.problems) > 0 {
		w.noteRejected("answer to block_suggestion", invalid(c.problems))
		return nil, errors.New(strings.Join(c.problems, "; "))
	}
	return answer, nil
}
