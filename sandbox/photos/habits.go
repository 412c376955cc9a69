package photos

import (
	"html"
	"slices"
)

// Habits are ways of a service that the interface leaves open, and that others have.
type Habits struct {
	Escapes    bool // what was written is answered escaped, as it would stand in a web page
	Latest     int  // how many entries of a conversation an answer shows, the newest; 0 = all
	Repeats    bool // an answer shows every entry of a conversation twice
	SameNumber bool // a request for changes does not count the revision up
}

// conversation is newest first.
func (s *Service) conversation(o *order) *[]entryJSON {
	h := s.opts.Habits
	views := make([]entryJSON, 0, len(o.entries))
	for _, e := range slices.Backward(o.entries) {
		view := entryJSON{From: e.From, Content: e.Content, Revision: e.Revision, CreatedAt: timestamp(e.CreatedAt)}
		if h.Escapes {
			view.Content = html.EscapeString(view.Content)
		}
		if views = append(views, view); h.Repeats {
			views = append(views, view)
		}
		if h.Latest > 0 && len(views) >= h.Latest {
			break
		}
	}
	return &views
}
