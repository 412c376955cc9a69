package workspace

// Manners are how the connections of Socket Mode show that they live, besides the envelopes
// they carry. The zero value is Slack as it usually is: it pings every few seconds and
// answers pings.
type Manners struct {
	NoPings bool // it never pings
	NoPongs bool // it answers no ping
}

// SetSocketManners changes how all connections behave from now on, those that are open too.
func (w *Workspace) SetSocketManners(m Manners) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sockets.manners = m
}

// StallSockets lets nothing more through the connections that are open now, either way:
// they stay open, and nobody is told.
func (w *Workspace) StallSockets() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sockets.open {
		s.stalled = true
	}
}

// SocketsMade is how many connections the app has ever made.
func (w *Workspace) SocketsMade() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sockets.count
}

func (w *Workspace) stalledNow(s *socket) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return s.stalled
}

func (w *Workspace) pingsNow(s *socket) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !s.stalled && !w.sockets.manners.NoPings
}

// pongs tells whether a ping of the app is answered.
func (w *Workspace) pongs(s *socket) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !s.stalled && !w.sockets.manners.NoPongs
}
