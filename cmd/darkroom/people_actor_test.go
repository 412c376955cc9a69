package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/cards/batch"
	"darkroom/cards/change"
	cardshome "darkroom/cards/home"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/cards/presets"
	cardssettings "darkroom/cards/settings"
	"darkroom/cards/talk"
	"darkroom/commands"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// actor is one of these people at work.
type actor struct {
	*town
	someone
	review, fresh string                       // ids of their channel's orders
	card, reply   string                       // timestamps: of the first one's card, and of their own word in its thread
	word          string                       // of their own word in the channel
	dm            string                       // their conversation with the app
	forms         map[string]*workspace.Window // forms that were opened in time, by callback
	draft         string
	before        map[string]bool // what was on their screen
}

// prepare is what somebody does as a full member.
func (w *town) prepare(t *testing.T, s someone) *actor {
	t.Helper()
	own := *w
	own.t = t
	a := &actor{town: &own, someone: s, forms: map[string]*workspace.Window{}}
	owner := store.Owner{Team: a.space.ID(), Channel: a.channel(), Requester: a.id()}
	a.review, a.fresh = a.order(owner, true), a.order(owner, false)
	for n := range 10 {
		a.place(owner, order.Order{ID: fmt.Sprint(s.name, n), ProjectName: surprise, Status: []order.Status{order.StatusEditing, order.StatusReviewing}[n%2]})
	}
	a.dm = a.space.DirectMessage(s.name).ID
	a.until("the card", a.findCard)
	require.NoError(t, a.win().Say(a.channel(), a.card, "a word"))
	require.NoError(t, a.win().Say(a.channel(), "", "another"))
	a.reply = a.newest(a.space.Thread(a.channel(), a.card))
	a.word = a.newest(a.space.Messages(a.channel()))
	require.NoError(t, a.store.Documents.PutTTL(t.Context(), "overheard:"+a.space.ID()+":"+a.channel()+":"+a.id(), "1.1", time.Hour)) // a later reply waits for no Take Back
	settingstest.Save(t, a.store, a.space.ID(), a.channel(), store.Settings{Relay: store.RelayReplies})
	require.NoError(t, a.store.Presets.SavePreset(t.Context(), a.space.ID(), a.channel(), store.Preset{Name: surprise, SavedBy: a.id()}, "", false))
	a.openForms()
	return a
}

func (a *actor) win() *workspace.Window { return a.space.Window(a.name) }

func (a *actor) findCard() bool {
	for _, m := range a.space.Messages(a.channel()) {
		if m.BotID != "" && m.Metadata != nil && strings.Contains(text(m.Metadata), a.review) {
			a.card = m.TS
		}
	}
	return a.card != ""
}

// newest is their own newest message of those.
func (a *actor) newest(messages []workspace.Message) string {
	for _, m := range slices.Backward(messages) {
		if m.User == a.id() {
			return m.TS
		}
	}
	return ""
}

// openForms opens each form in a window of its own.
func (a *actor) openForms() {
	for callback, line := range map[string]string{
		kit.CallbackApprove: "approve " + a.review, kit.CallbackRevise: "revise " + a.review + " darker", kit.CallbackCancel: "cancel " + a.fresh,
		kit.CallbackMessage: "message " + a.review, kit.CallbackReference: "reference " + a.review, cards.CallbackMove: "move " + a.review,
		place.CallbackNew: "new " + a.samples[1], place.CallbackImages: "new " + a.samples[2],
		"choice": "revise " + a.review + " darker", "close": "new", "close2": "new " + a.samples[2],
		"close approve": "approve " + a.review, "close revise": "revise " + a.review, "close cancel": "cancel " + a.fresh, "close message": "message " + a.review,
		"close reference": "reference " + a.review,
	} {
		win := a.win()
		a.forms[callback] = win
		require.NoError(a.t, win.Command(a.channel(), "/order "+line))
		a.until("the form of "+line, func() bool {
			v, open := win.Modal()
			return open && v.Submit != "" // painted once, with the credits or without them
		})
		if hasSecondStep(callback) {
			a.pressIn(win, place.ActionOptions)
			a.until("more options", func() bool { v, _ := win.Modal(); return strings.Contains(text(v.Blocks), "perimage") })
		}
		a.fill(win, callback)
	}
	for step, second := range map[string]string{place.CallbackImages: "each:", "close2": "each:"} {
		win := a.forms[step]
		shown := func() bool { v, _ := win.Modal(); return strings.Contains(text(v.Blocks), second) }
		require.NoError(a.t, win.Submit(workspace.Once))
		if !a.within(20*time.Second, shown) { // a busy machine could not confirm it: they submit again
			require.NoError(a.t, win.Submit(workspace.Once))
		}
		a.until("the second step of "+step, shown, func() string { v, _ := win.Modal(); return text(v.Blocks) })
	}
	a.forms[change.CallbackSelect] = a.win()
	require.NoError(a.t, a.press(a.forms[change.CallbackSelect], cardshome.ActionSelect))
	a.until("the form of several orders", func() bool { v, open := a.forms[change.CallbackSelect].Modal(); return open && v.Submit != "" })
	a.fill(a.forms[change.CallbackSelect], change.CallbackSelect)
	a.openThread()
	a.openSettings()
	a.openPresetForm(presets.Callback, cards.ActionSavePreset)
	a.openPresetForm(presets.CallbackPhotos, presets.ActionPhotos)
	a.openBatch()
	v, _ := a.forms[place.CallbackNew].Modal()
	a.draft = kit.DecodeMeta(v.PrivateMetadata).Draft
}

// hasSecondStep reports whether the form is to ask for each photo's own instructions.
func hasSecondStep(callback string) bool {
	return callback == place.CallbackImages || callback == "close2"
}

// pressIn presses a button of an open form.
func (a *actor) pressIn(win *workspace.Window, action string) {
	v, _ := win.Modal()
	for _, b := range v.Blocks {
		elements, _ := b["elements"].([]any)
		for _, e := range elements {
			if button, _ := e.(map[string]any); button["action_id"] == action {
				block, _ := b["block_id"].(string)
				require.NoError(a.t, win.Act(workspace.Target{View: v.ID, Block: block, Action: action}, nil, workspace.Once))
				return
			}
		}
	}
	require.Fail(a.t, "the form has no button "+action)
}

// openSettings opens the form of one part of the settings, from the overview.
func (a *actor) openSettings() {
	win := a.win()
	a.forms[cardssettings.Callback] = win
	require.NoError(a.t, win.Command(a.channel(), "/order settings"))
	a.until("the settings", func() bool {
		v, _ := win.Modal()
		return strings.Contains(text(v.Blocks), cardssettings.ActionChangePart)
	})
	v, _ := win.Modal()
	for _, b := range v.Blocks {
		if button, _ := b["accessory"].(map[string]any); button["value"] == cardssettings.Messages.Value() {
			block, _ := b["block_id"].(string)
			require.NoError(a.t, win.Act(workspace.Target{View: v.ID, Block: block, Action: cardssettings.ActionChangePart}, nil, workspace.Once))
		}
	}
	a.until("the form of settings", func() bool { v, open := win.Modal(); return open && v.Submit != "" })
	a.fill(win, cardssettings.Callback)
}

// openPresetForm opens a form of presets that only a button or a menu opens.
func (a *actor) openPresetForm(callback, action string) {
	win := a.win()
	a.forms[callback] = win
	require.NoError(a.t, a.press(win, action))
	a.until("the form of a preset", func() bool { v, open := win.Modal(); return open && v.Submit != "" })
	a.fill(win, callback)
}

// openBatch hands in a file of orders, and waits until it is checked.
func (a *actor) openBatch() {
	win := a.win()
	a.forms[batch.Callback] = win
	require.NoError(a.t, win.Command(a.channel(), "/order new"))
	a.until("the form for a batch", func() bool { v, open := win.Modal(); return open && v.Submit != "" })
	a.fill(win, batch.Callback)
	v, _ := win.Modal()
	for _, b := range v.Blocks {
		if e, _ := b["element"].(map[string]any); e["type"] == "file_input" {
			block, _ := b["block_id"].(string)
			action, _ := e["action_id"].(string)
			given := win.Give(workspace.Upload{Name: "orders.csv", Content: []byte("images\n" + a.samples[1] + "\n")})
			require.NoError(a.t, win.Act(workspace.Target{View: v.ID, Block: block, Action: action}, given, workspace.Once))
		}
	}
	require.NoError(a.t, win.Submit(workspace.Once))
	a.until("the check of a batch", func() bool { v, open := win.Modal(); return open && strings.HasPrefix(v.Submit, "Place 1") },
		func() string { v, _ := win.Modal(); return text(v.Blocks) })
}

// openThread chooses one order for each message of a thread with photos.
func (a *actor) openThread() {
	win := a.win()
	a.forms[place.CallbackThread] = win
	photo := func() workspace.Upload {
		return workspace.Upload{Name: "beach.png", Content: []byte("\x89PNG\r\n\x1a\n")}
	}
	require.NoError(a.t, win.Say(a.channel(), "", "thread of photos", photo()))
	root := a.newest(a.space.Messages(a.channel()))
	require.NoError(a.t, win.Say(a.channel(), root, "and this", photo()))
	require.NoError(a.t, win.MessageShortcut(a.channel(), root, commands.ShortcutPhotos, workspace.Once))
	seen := func() string { v, _ := win.Modal(); return text(v.Blocks) }
	a.until("the choice of a thread", func() bool { return strings.Contains(seen(), "This thread has") }, seen)
	v, _ := win.Modal()
	for _, b := range v.Blocks {
		if e, _ := b["element"].(map[string]any); e["type"] == "radio_buttons" {
			block, _ := b["block_id"].(string)
			action, _ := e["action_id"].(string)
			options, _ := e["options"].([]any)
			require.NoError(a.t, win.Act(workspace.Target{View: v.ID, Block: block, Action: action}, workspace.StateOf("radio_buttons", options[2]), workspace.Once))
		}
	}
}

// fill puts something into every field, and asks for the second step where there is one.
func (a *actor) fill(win *workspace.Window, callback string) {
	v, _ := win.Modal()
	for _, b := range v.Blocks {
		e, isInput := b["element"].(map[string]any)
		if !isInput {
			e, _ = b["accessory"].(map[string]any)
		}
		kind, _ := e["type"].(string)
		block, _ := b["block_id"].(string)
		action, _ := e["action_id"].(string)
		var value any
		switch kind {
		case "plain_text_input":
			if initial, _ := e["initial_value"].(string); initial != "" {
				continue
			}
			value = "https://example.com/mood.jpg" // good as words, and as an address
			if strings.HasPrefix(block, "photo-size") {
				value = "2000"
			} else if strings.HasPrefix(block, "photo-") || strings.HasPrefix(block, "customer") || strings.Contains(block, "-limit") {
				continue
			}
		case "conversations_select":
			if value = a.channel(); callback == cards.CallbackMove {
				value = "C0OTHER"
			}
		case "checkboxes":
			if callback != change.CallbackSelect && (!strings.HasPrefix(block, "perimage") || !hasSecondStep(callback)) {
				continue
			}
			options, _ := e["options"].([]any)
			value = options[:1]
		default:
			continue
		}
		require.NoError(a.t, win.Act(workspace.Target{View: v.ID, Block: block, Action: action}, workspace.StateOf(kind, value), workspace.Once))
	}
}

// value is what the button of the table that routes carries.
func (a *actor) value(action string) string {
	note := func(name string, body map[string]any) string {
		name += ":" + a.name
		require.NoError(a.t, a.store.Documents.PutTTL(a.t.Context(), name, body, time.Hour))
		return name
	}
	switch action {
	case cards.ActionCancel, cards.ActionCancelNow:
		return cards.Value(a.fresh, 0)
	case cards.ActionAsk:
		return a.review + " placed"
	case cards.ActionSnooze:
		return a.review + " reminder:ready:r0:1"
	case cards.ActionMenu:
		return "message " + cards.Value(a.review, 0)
	case place.ActionAllow, place.ActionDecline, place.ActionHoldCredits:
		h := store.Hold{Draft: a.draft, Attempt: len(action), Team: a.space.ID(), Channel: a.channel(), User: a.id(), Name: surprise}
		require.NoError(a.t, a.store.Holds.AskHold(a.t.Context(), h))
		return h.ID()
	case place.ActionOpen, place.ActionRetry, place.ActionDiscard:
		return a.draft
	case place.ActionRemove:
		return a.draft + ":F0"
	case cards.ActionList:
		return `{"channel":"` + a.channel() + `","page":1}`
	case talk.ActionCorrect:
		return note("correct", map[string]any{"order": a.review, "user": a.id(), "text": "darker"})
	case talk.ActionAttach:
		return note("album", map[string]any{"order": a.review, "user": a.id(), "urls": []string{"https://example.com/mood.jpg"}})
	case presets.Action:
		return presets.Value(presets.Remove, a.channel(), store.PresetID(surprise))
	case presets.ActionPhotos:
		return presets.Value("photos", a.channel(), store.PresetID(surprise))
	case cardshome.ActionFilter:
		return "true:"
	case cardshome.ActionPage:
		return "0"
	}
	return cards.Value(a.review, 0)
}

// show puts one element before the person, where they are.
func (a *actor) show(element map[string]any) workspace.Target {
	id, _ := element["action_id"].(string)
	ts := a.post(a.here(), a.id(), map[string]any{"type": "actions", "block_id": "b", "elements": []any{element}})
	return workspace.Target{Channel: a.here(), TS: ts, Block: "b", Action: id}
}

// press presses a button of that name.
func (a *actor) press(win *workspace.Window, action string) error {
	button := map[string]any{"type": "button", "value": a.value(action), "text": map[string]any{"type": "plain_text", "text": action}}
	if button["action_id"] = action; action == cards.ActionPick {
		button["action_id"] = action + "approve"
	}
	return win.Act(a.show(button), nil, workspace.Once)
}

// here is where the person still is: in the channel, or in a direct message.
func (a *actor) here() string {
	if a.leaves {
		return a.dm
	}
	return a.channel()
}

// change makes the person what they are to be.
func (a *actor) change() {
	u := a.space.User(a.id())
	if a.becomes != nil {
		a.becomes(&u)
		a.space.SetUser(u)
	}
	if a.leaves {
		require.NoError(a.t, a.win().Leave(a.channel()))
		a.until("the app to hear that they left", a.heardLeaving)
	}
}

// heardLeaving tells that the app was told that the person left, and answered: what it remembers of their
// membership is for a minute.
func (a *actor) heardLeaving() bool {
	return slices.ContainsFunc(a.space.Deliveries(), func(d workspace.Delivery) bool {
		body := string(d.Body)
		return d.Status == http.StatusOK && strings.Contains(body, "member_left_channel") && strings.Contains(body, a.id())
	})
}

// piece is something before a person: what it says is only made when it is new.
type piece struct {
	key  string
	says func() string
}

// screen is all that the person has before them.
func (a *actor) screen(win *workspace.Window) []piece {
	var all []piece
	for _, m := range slices.Concat(a.space.Ephemerals(a.name), a.space.DMs(a.name)) {
		all = append(all, piece{m.TS + m.Text, func() string { return m.Text + " " + text(m.Blocks) }})
	}
	views := win.Stack()
	if home, published := win.Home(); published {
		views = append(views, home)
	}
	for _, v := range views {
		all = append(all, piece{v.Hash + v.Notice + text(v.Errors), func() string {
			return v.Title + " " + v.Notice + text(v.Errors) + text(v.Blocks)
		}})
	}
	return all
}

func (a *actor) look(win *workspace.Window) {
	a.before = map[string]bool{}
	for _, p := range a.screen(win) {
		a.before[p.key] = true
	}
}

// reads waits until something new before the person is as it should be.
func (a *actor) reads(win *workspace.Window, what string, fits func(string) bool) {
	a.t.Helper()
	var wrong []string
	a.until(a.name+": "+what, func() bool {
		wrong = nil
		for _, p := range a.screen(win) {
			if a.before[p.key] {
				continue
			}
			if fits(p.says()) {
				return true
			}
			wrong = append(wrong, p.says())
		}
		return false
	}, func() string { return strings.Join(wrong, "\n") })
}

// state is what nobody who may not act may change.
func (a *actor) state() string {
	kept := map[string]any{}
	for _, o := range a.photos.Orders() {
		if o.ID == a.review || o.ID == a.fresh || strings.Contains(text(o.Instructions), "for "+a.name) {
			kept[o.ID] = []any{o.Status, o.Messages, o.References, o.Approvals, o.Revisions, o.Feedback, o.CancelReason}
		}
	}
	for _, id := range []string{a.review, a.fresh} {
		t, err := a.store.Orders.Order(a.t.Context(), id)
		require.NoError(a.t, err)
		kept["owner "+id] = []any{t.Owner, t.Untracked}
	}
	settings, err := a.store.Settings.Of(a.t.Context(), a.space.ID(), a.channel())
	require.NoError(a.t, err)
	kept["settings"] = settings
	kept["presets"], err = a.store.Presets.In(a.t.Context(), a.space.ID(), a.channel())
	require.NoError(a.t, err)
	return text(kept)
}

func text(v any) string {
	raw, _ := json.Marshal(v)
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(raw))
}
