package workspace

import "slices"

// Cancel presses the close button of the top view: the view below comes
// back, unless the view wants the whole modal closed.
func (win *Window) Cancel() error {
	w := win.w
	w.mu.Lock()
	if len(win.stack) == 0 {
		w.mu.Unlock()
		return ErrGone
	}
	v := win.stack[len(win.stack)-1]
	if v.ClearOnExit {
		w.unlock()
		return win.CloseModal()
	}
	parcels := w.closed(win, v, false)
	w.drop(v)
	w.unlock()
	w.deliverAll(parcels, Once, func(Delivery) {})
	return nil
}

// CloseModal presses the x: the whole modal goes.
func (win *Window) CloseModal() error {
	w := win.w
	w.mu.Lock()
	if len(win.stack) == 0 {
		w.mu.Unlock()
		return ErrGone
	}
	var parcels []parcel
	if i := slices.IndexFunc(win.stack, func(v *View) bool { return v.NotifyOnClose }); i >= 0 {
		root := *win.stack[0]
		root.NotifyOnClose = true
		parcels = w.closed(win, &root, true)
	}
	w.dropAll(win)
	w.unlock()
	w.deliverAll(parcels, Once, func(Delivery) {})
	return nil
}

// closed is the view_closed for a view that asks for it.
func (w *Workspace) closed(win *Window, v *View, cleared bool) []parcel {
	if !v.NotifyOnClose {
		return nil
	}
	p := w.interaction(win, "view_closed")
	delete(p, "trigger_id")
	view := w.wireView(v)
	view["state"] = object{"values": []any{}} // what was typed is gone
	p["view"], p["is_cleared"] = view, cleared
	return []parcel{w.interactionParcel(p)}
}

// Shortcuts are those of the app: in a message's menu, or global.
func (win *Window) Shortcuts(message bool) []Shortcut {
	var found []Shortcut
	for _, s := range DefaultShortcuts() {
		if s.Message == message {
			found = append(found, s)
		}
	}
	return found
}

// Shortcut runs a global shortcut.
func (win *Window) Shortcut(callback string, times Times) {
	win.run("shortcut", times, func(p object) { p["callback_id"] = callback })
}

// MessageShortcut runs a shortcut from a message's menu.
func (win *Window) MessageShortcut(channel, ts, callback string, times Times) error {
	w := win.w
	w.mu.Lock()
	m := w.shownTo(win.user, channel, ts)
	w.mu.Unlock()
	if m == nil || m.Ephemeral {
		return ErrGone
	}
	win.run("message_action", times, func(p object) {
		w.located(p, m)
		delete(p, "container")
		p["callback_id"], p["message_ts"] = callback, m.TS
		response := &responseURL{channel: m.Channel, user: win.user, thread: m.threadOfReply(), original: m}
		p["response_url"] = w.responseAddress(w.newResponse(response))
	})
	return nil
}

func (win *Window) run(kind string, times Times, complete func(object)) {
	w := win.w
	w.mu.Lock()
	win.toast = ""
	var parcels []parcel
	for range times.triggers() {
		p := w.interaction(win, kind)
		complete(p)
		parcels = append(parcels, w.interactionParcel(p))
	}
	w.unlock()
	w.deliverAll(parcels, times, func(d Delivery) { w.interpretAction(win, d) })
}
