package photos

import "sync"

// edits are the pictures that were edited lately. The same few samples are ordered over and
// over, in one order and in many, and editing a picture is by far the most work there is here.
var edits shelf

// maxShelved bounds the bytes of the pictures on a shelf.
const maxShelved = 16 << 20

// edit is one way in which a picture can be edited.
type edit struct {
	content [32]byte // its digest
	kind    string   // media type
	look    int
}

// shelf keeps edited pictures, which nobody changes any more. A full one is emptied.
type shelf struct {
	mu    sync.Mutex
	held  map[edit]retouched
	bytes int
}

func (s *shelf) find(e edit) (retouched, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	picture, found := s.held[e]
	return picture, found
}

func (s *shelf) keep(e edit, picture retouched) {
	size := len(picture.full) + len(picture.thumb)
	if size > maxShelved {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, found := s.held[e]; found {
		return
	}
	if s.held == nil || s.bytes+size > maxShelved {
		s.held, s.bytes = map[edit]retouched{}, 0
	}
	s.held[e] = picture
	s.bytes += size
}
