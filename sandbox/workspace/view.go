package workspace

import (
	"maps"
	"slices"
)

// View is a modal or an App Home as one person has it before them. Values and
// Blocks are shared and never changed: an edit replaces them.
type View struct {
	ID, RootID, PreviousID     string
	ExternalID, CallbackID     string
	Hash, Type                 string
	User                       string
	Title, Submit, Close       string
	PrivateMetadata            string
	Blocks                     []map[string]any
	NotifyOnClose, ClearOnExit bool

	Values map[string]map[string]any // by block id and action id: an element's state as on the wire
	Errors map[string]string         // by block id: what the app or Slack says of a field
	Notice string                    // what Slack says when the app failed

	window *Window // modals only
}

const maxStack = 3 // views of one modal

// newView is a view from a checked payload; the caller holds the lock.
func (w *Workspace) newView(payload object, user string, win *Window) *View {
	v := &View{ID: w.id("V"), User: user, Type: str(payload, "type"), window: win}
	v.RootID = v.ID
	w.fillView(v, payload)
	w.views[v.ID] = v
	return v
}

// fillView gives a view new content. What was typed stays where block id and
// action id are the same.
func (w *Workspace) fillView(v *View, payload object) {
	v.ExternalID, v.CallbackID = str(payload, "external_id"), str(payload, "callback_id")
	v.Title, v.Submit, v.Close = textIn(payload, "title"), textIn(payload, "submit"), textIn(payload, "close")
	v.PrivateMetadata = str(payload, "private_metadata")
	v.NotifyOnClose, v.ClearOnExit = flag(payload, "notify_on_close"), flag(payload, "clear_on_close")
	w.wasShown(v.Blocks, v.User)
	v.Blocks = w.identified(objects(payload["blocks"]))
	v.Errors, v.Notice = nil, ""
	v.Hash = w.id("h")
	v.Values = w.carried(v)
}

func textIn(o object, key string) string {
	text, _ := o[key].(object)
	return str(text, "text")
}

// externalTaken tells whether another open view has the external id.
func (w *Workspace) externalTaken(id string, but *View) bool {
	if id == "" {
		return false
	}
	for _, v := range w.views {
		if v != but && v.ExternalID == id {
			return true
		}
	}
	return false
}

func (v *View) clone() View {
	copied := *v
	copied.Values = make(map[string]map[string]any, len(v.Values))
	for block, actions := range v.Values {
		copied.Values[block] = maps.Clone(actions)
	}
	copied.Errors = maps.Clone(v.Errors)
	return copied
}

// wireView is the view as Slack shows it to the app.
func (w *Workspace) wireView(v *View) object {
	values := any([]any{}) // Slack writes an empty map so
	if len(v.Values) > 0 {
		held := object{}
		for block, actions := range v.Values {
			held[block] = maps.Clone(actions)
		}
		values = held
	}
	out := object{
		"id": v.ID, "team_id": w.teamOf(w.user(v.User)), "type": v.Type, "blocks": v.Blocks, "private_metadata": v.PrivateMetadata,
		"callback_id": v.CallbackID, "state": object{"values": values}, "hash": v.Hash,
		"clear_on_close": v.ClearOnExit, "notify_on_close": v.NotifyOnClose, "root_view_id": v.RootID,
		"previous_view_id": nil, "app_id": w.o.AppID, "external_id": v.ExternalID, "bot_id": w.o.BotID,
		"app_installed_team_id": w.o.TeamID, "title": nil, "submit": nil, "close": nil,
	}
	setIf(out, "previous_view_id", v.PreviousID, v.PreviousID != "")
	setIf(out, "title", plain(v.Title), v.Title != "")
	setIf(out, "submit", plain(v.Submit), v.Submit != "")
	setIf(out, "close", plain(v.Close), v.Close != "")
	return out
}

func plain(text string) object {
	return object{"type": "plain_text", "text": text, "emoji": true}
}

// show puts a first view before the person: it takes the place of an open modal.
func (w *Workspace) show(win *Window, payload object) *View {
	w.dropAll(win)
	v := w.newView(payload, win.user, win)
	win.stack = []*View{v}
	return v
}

// push puts a view on top of the window's modal.
func (w *Workspace) push(win *Window, payload object) *View {
	top := win.stack[len(win.stack)-1]
	v := w.newView(payload, win.user, win)
	v.RootID, v.PreviousID = top.RootID, top.ID
	win.stack = append(win.stack, v)
	return v
}

// drop takes one view away.
func (w *Workspace) drop(v *View) {
	delete(w.views, v.ID)
	if v.window != nil {
		v.window.stack = slices.DeleteFunc(slices.Clone(v.window.stack), func(o *View) bool { return o == v })
	}
}

func (w *Workspace) dropAll(win *Window) {
	for _, v := range slices.Clone(win.stack) {
		w.drop(v)
	}
}
