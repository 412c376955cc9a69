package page

import (
	"net/http"
	"strings"

	"darkroom/sandbox/workspace"
)

// seat is one person's place: their Slack client, whatever the number of tabs, and what
// they have read.
type seat struct {
	win  *workspace.Window
	user workspace.User
	read map[string]string // by channel id: the newest timestamp they read; guarded by Page.mu
}

// asPerson is a handler for the person the path names.
func (p *Page) asPerson(serve func(http.ResponseWriter, *http.Request, *seat)) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		s := p.seat(r.PathValue("user"))
		if s == nil {
			refuse(rw, errNobody)
			return
		}
		serve(rw, r, s)
	}
}

// seat is the place of the person, by id or name; nil: not found. The app's bot
// has no place.
func (p *Page) seat(name string) *seat {
	u := p.ws.User(name)
	if u.ID == "" || u.Bot {
		return nil
	}
	p.mu.Lock()
	s := p.seats[u.ID]
	if s == nil {
		s = &seat{win: p.ws.Window(u.ID), user: u, read: map[string]string{}}
		p.seats[u.ID] = s
	}
	p.mu.Unlock()
	p.direct(s)
	return s
}

// direct opens the person's messages with the app, if there is one and it was never spoken to.
func (p *Page) direct(s *seat) {
	if p.ws.App().User != "" && !p.hasDM(s) {
		p.ws.DirectMessage(s.user.ID)
	}
}

func (p *Page) hasDM(s *seat) bool {
	for _, c := range s.win.Channels() {
		if c.IM == s.user.ID {
			return true
		}
	}
	return false
}

// readTo is the newest timestamp the person read in the channel.
func (p *Page) readTo(s *seat, channel string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return s.read[channel]
}

// markRead says that the person has seen all there is in the channel.
func (p *Page) markRead(s *seat, channel string) {
	last := s.win.News(channel, "").Last
	p.mu.Lock()
	defer p.mu.Unlock()
	if strings.Compare(last, s.read[channel]) > 0 {
		s.read[channel] = last
		p.notice()
	}
}

// noticed is closed at the next change of what the page itself keeps.
func (p *Page) noticed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watch
}

// notice wakes every stream; the caller holds the lock.
func (p *Page) notice() {
	close(p.watch)
	p.watch = make(chan struct{})
}
