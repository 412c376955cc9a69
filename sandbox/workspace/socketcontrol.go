package workspace

import (
	"context"

	"github.com/coder/websocket"
)

// SetSocketMode switches Socket Mode. While it is on nothing goes over HTTP;
// switched off, every connection is told so and closed.
func (w *Workspace) SetSocketMode(on bool) {
	w.mu.Lock()
	w.sockets.on = on
	open := w.sockets.open
	if !on {
		w.sockets.open = nil
	}
	w.rouse()
	w.unlock()
	if on {
		return
	}
	for _, s := range open {
		w.tellDisconnect(s.conn, "link_disabled")
		w.running.Go(func() { _ = s.conn.Close(websocket.StatusNormalClosure, "link_disabled") })
	}
}

// SocketMode tells whether Socket Mode is on.
func (w *Workspace) SocketMode() bool {
	on, _ := w.desk().connections()
	return on
}

// connections tells whether Socket Mode is on, and how many connections there ever were.
func (w *Workspace) connections() (on bool, ever int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sockets.on, w.sockets.count
}

// Sockets is how many connections the app has open.
func (w *Workspace) Sockets() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.sockets.open)
}

// RefreshSockets renews the connections as Slack does every few hours: each
// is warned, asked to refresh and closed after Options.RefreshGrace. It
// returns when all have been warned.
func (w *Workspace) RefreshSockets() {
	w.mu.Lock()
	open := w.sockets.open
	for _, s := range open {
		s.leaving = true
	}
	w.unlock()
	for _, s := range open {
		w.tellDisconnect(s.conn, "warning")
		w.running.Go(func() { w.refresh(s) })
	}
}

func (w *Workspace) refresh(s *socket) {
	w.pause(w.o.RefreshGrace)
	w.tellDisconnect(s.conn, "refresh_requested")
	w.forget(s)
	_ = s.conn.Close(websocket.StatusNormalClosure, "refresh_requested")
}

// DropSockets cuts the n oldest connections without a goodbye; a negative n
// is all of them. To cut one between an envelope and its acknowledgement see
// [CutSocket].
func (w *Workspace) DropSockets(n int) {
	w.mu.Lock()
	if n < 0 || n > len(w.sockets.open) {
		n = len(w.sockets.open)
	}
	cut := w.sockets.open[:n]
	w.sockets.open = w.sockets.open[n:]
	w.unlock()
	for _, s := range cut {
		_ = s.conn.CloseNow()
	}
}

func (w *Workspace) tellDisconnect(conn *websocket.Conn, reason string) {
	ctx, cancel := context.WithTimeout(w.ctx, partingLimit)
	defer cancel()
	frame := encode(object{"type": "disconnect", "reason": reason, "debug_info": object{"host": "sandbox"}})
	_ = conn.Write(ctx, websocket.MessageText, frame) // it may be gone already
}
