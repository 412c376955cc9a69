package workspace

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/coder/websocket"
)

// Slack: docs.slack.dev/apis/events-api/using-socket-mode.
const (
	linkPath     = "/link/"
	maxSockets   = 10
	maxAppFrame  = 20_480 // bytes; the app's frames must be smaller
	readLimit    = 1 << 20
	pingEvery    = 5 * time.Second
	pongLimit    = 10 * time.Second
	socketLife   = 18_060 // seconds, as hello promises
	partingLimit = time.Second
)

// socket is one connection of the app in Socket Mode.
type socket struct {
	n       int // counted from 1
	conn    *websocket.Conn
	leaving bool          // the app was told to come back over another one
	stalled bool          // it is open, and nothing gets through either way
	greeted chan struct{} // closed when hello is out: nothing goes before it
	gone    chan struct{} // closed when the connection has ended
}

// sockets is all of Socket Mode.
type sockets struct {
	on      bool
	manners Manners
	tickets map[string]bool // true: not used yet
	open    []*socket
	count   int                   // connections ever made
	turn    int                   // whose turn the next envelope is
	waiting map[string][]chan ack // by envelope id: who waits for its acknowledgement
	sent    map[string]bool       // ids of all envelopes; true: a payload may answer it
}

func newSockets(on bool) sockets {
	return sockets{on: on, tickets: map[string]bool{}, waiting: map[string][]chan ack{}, sent: map[string]bool{}}
}

func socketMethods() map[string]method {
	return map[string]method{
		"apps.connections.open": {appLevel: true, run: (*Workspace).openConnection},
	}
}

func (w *Workspace) openConnection(*call) (object, error) {
	ticket := w.id("ticket")
	w.sockets.tickets[ticket] = true
	return object{"url": "ws" + w.base[len("http"):] + linkPath + "?ticket=" + ticket + "&app_id=" + w.o.AppID}, nil
}

// useTicket takes a ticket, which opens one connection.
func (w *Workspace) useTicket(ticket string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	fresh := w.sockets.tickets[ticket]
	w.sockets.tickets[ticket] = false
	return fresh
}

// serveSocket holds one connection until it ends.
func (w *Workspace) serveSocket(rw http.ResponseWriter, r *http.Request) {
	if !w.useTicket(r.URL.Query().Get("ticket")) {
		http.Error(rw, "ticket is unknown or used", http.StatusForbidden)
		return
	}
	var s socket
	conn, err := websocket.Accept(rw, r, &websocket.AcceptOptions{
		OriginPatterns: []string{"*"}, // some libraries name one
		OnPingReceived: func(context.Context, []byte) bool { return w.pongs(&s) },
	})
	if err != nil {
		return // Accept has answered
	}
	conn.SetReadLimit(readLimit)
	if why := w.unwelcome(); why != "" {
		w.tellDisconnect(conn, why)
		_ = conn.Close(websocket.StatusNormalClosure, why)
		return
	}
	s.conn, s.greeted, s.gone = conn, make(chan struct{}), make(chan struct{})
	w.running.Go(func() { w.hold(&s) })
}

// unwelcome is why no connection is taken now; "": none.
func (w *Workspace) unwelcome() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !w.sockets.on:
		return "link_disabled"
	case len(w.sockets.open) >= maxSockets:
		return "too_many_websockets"
	}
	return ""
}

func (w *Workspace) hold(s *socket) {
	w.connected(s)
	hello := w.hello(s)
	w.admitSocket(s) // who has read hello is reached from then on
	if w.writeFrame(s.conn, hello) == nil {
		close(s.greeted)
		w.running.Go(func() { w.pings(s) })
		w.listenTo(s)
	}
	_ = s.conn.CloseNow()
	w.forget(s)
	close(s.gone)
}

func (w *Workspace) connected(s *socket) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sockets.count++
	s.n = w.sockets.count
}

func (w *Workspace) hello(s *socket) object {
	w.mu.Lock()
	defer w.mu.Unlock()
	return object{
		"type": "hello", "num_connections": len(w.sockets.open) + 1, "connection_info": object{"app_id": w.o.AppID},
		"debug_info": object{"host": "sandbox", "build_number": s.n, "approximate_connection_time": socketLife},
	}
}

// admitSocket lets envelopes go over the connection.
func (w *Workspace) admitSocket(s *socket) {
	defer w.change()()
	w.sockets.open = append(w.sockets.open, s)
	w.rouse()
}

func (w *Workspace) forget(s *socket) {
	defer w.change()()
	w.sockets.open = slices.DeleteFunc(slices.Clone(w.sockets.open), func(o *socket) bool { return o == s })
}

func (w *Workspace) writeFrame(conn *websocket.Conn, frame object) error {
	return w.writeBytes(conn, encode(frame))
}

func (w *Workspace) writeBytes(conn *websocket.Conn, body []byte) error {
	ctx, cancel := context.WithTimeout(w.ctx, w.o.AckLimit)
	defer cancel()
	return conn.Write(ctx, websocket.MessageText, body)
}

// pings keeps the connection alive; one that does not answer is cut.
func (w *Workspace) pings(s *socket) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-s.gone:
			return
		case <-w.ctx.Done():
			return
		case <-tick.C:
		}
		if !w.pingsNow(s) {
			continue
		}
		ctx, cancel := context.WithTimeout(w.ctx, pongLimit)
		err := s.conn.Ping(ctx)
		cancel()
		if err != nil {
			_ = s.conn.CloseNow()
			return
		}
	}
}

// listenTo reads the app's acknowledgements until the connection ends.
func (w *Workspace) listenTo(s *socket) {
	for {
		_, frame, err := s.conn.Read(w.ctx)
		if err != nil {
			return
		}
		if len(frame) >= maxAppFrame {
			w.noteRejected("socket", errTooBig(len(frame)))
			_ = s.conn.Close(websocket.StatusMessageTooBig, "message too big")
			return
		}
		if !w.stalledNow(s) {
			w.acknowledged(frame)
		}
	}
}
