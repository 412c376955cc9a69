package bot

import "bytes"

// Shown is what is kept of the blocks that a view showed when it was acted on. They are not read
// themselves: they are what we sent, and more than half of what Slack sends back.
type Shown struct {
	Bytes    int    `json:"bytes,omitempty"`    // how long they are, as Slack wrote them
	Pictures bool   `json:"pictures,omitempty"` // there are some, or may be
	Input    string `json:"input,omitempty"`    // the block id of the first input; "" = there is none
}

// picture is in every block or element that is one: its type. A quotation mark in somebody's words has
// a backslash before it.
var picture = []byte(`"image"`)

// shown reads what is kept of the blocks of a view.
func (r *reader) shown() (s Shown) {
	from := r.at
	r.list(func() {
		if s.Input == "" {
			s.Input = r.inputBlock()
		}
	})
	blocks := r.since(from)
	s.Bytes, s.Pictures = len(blocks), bytes.Contains(blocks, picture)
	return s
}

// inputBlock is the id of a block when that is an input, else "".
func (r *reader) inputBlock() string {
	var kind, id []byte
	r.object(func(name []byte) {
		switch string(name) {
		case "type":
			kind = r.word()
		case "block_id":
			id = r.word()
		}
	})
	if string(kind) != "input" {
		return ""
	}
	return string(id)
}
