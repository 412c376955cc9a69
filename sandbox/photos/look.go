package photos

import (
	"errors"
	"strings"
)

// Look is a picture as the editor sees it on the desk.
type Look struct {
	Kind    string // media type
	Content []byte
}

var errNoPicture = errors.New("no such picture")

// Before is the picture of that number as the client sent it, from 0.
func (s *Service) Before(orderID string, n int) (Look, error) {
	return s.look(orderID, func(o *order) (Look, bool) {
		if n < 0 || n >= len(o.sources) {
			return Look{}, false
		}
		return Look{Kind: o.sources[n].kind, Content: o.sources[n].content}, true
	})
}

// Aside is the reference of that number, from 0.
func (s *Service) Aside(orderID string, n int) (Look, error) {
	return s.look(orderID, func(o *order) (Look, bool) {
		if n < 0 || n >= len(o.looks) {
			return Look{}, false
		}
		return Look{Kind: o.looks[n].kind, Content: o.looks[n].content}, true
	})
}

// After is the edited picture of that id, whole or as its preview.
func (s *Service) After(orderID, imageID string, preview bool) (Look, error) {
	return s.look(orderID, func(o *order) (Look, bool) {
		for _, e := range o.edited {
			if e.id != imageID {
				continue
			}
			path := e.origin
			if preview {
				path = e.thumb
			}
			f, ok := s.file(path)
			return Look{Kind: f.kind, Content: f.content}, ok
		}
		return Look{}, false
	})
}

// Download is what lies at the address of an edited picture, as an order names it.
func (s *Service) Download(address string) (Look, error) {
	path, ours := strings.CutPrefix(address, s.URL())
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.file(path)
	if !ours || !ok {
		return Look{}, errNoPicture
	}
	return Look{Kind: f.kind, Content: f.content}, nil
}

func (s *Service) look(orderID string, find func(*order) (Look, bool)) (Look, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.byID[orderID]
	if !ok {
		return Look{}, errNoPicture
	}
	found, ok := find(o)
	if !ok {
		return Look{}, errNoPicture
	}
	return found, nil
}

// Automatic tells whether the editor works by himself.
func (s *Service) Automatic() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.automatic
}

// Can are the things the editor can do with an order now: deliver, pause,
// resume, say.
func (o Order) Can() []string {
	switch status(o.Status) {
	case editing, revising:
		return []string{"deliver", "pause", "say"}
	case paused:
		return []string{"resume", "say"}
	case reviewing:
		return []string{"say"}
	}
	return []string{}
}
