package bot

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// maxDepth bounds the nesting of a payload: what Slack sends has some ten levels, and what is kept
// of it is read again by others.
const maxDepth = 100

// reader goes through a JSON document once, and builds only what it is asked for; the rest is
// checked to be JSON and left out. Slack's objects vary, so a value of another kind than the one
// that is asked for counts as none: what is odd costs only itself. Only a document that is no
// JSON, or nested too deep, is an error, which stays: from then on there is nothing to read.
//
// What it returns does not point into the document, but for names, words and spans. Names are matched
// as Slack writes them; of a name that comes twice the last one counts.
type reader struct {
	doc    []byte
	at     int // the next byte; no space is before a value
	levels int // how many more objects and lists may be opened
	err    error
}

// readObject reads a document that must be one object, nested no deeper than that: field is called for
// each of its names and reads the value, or leaves it.
func readObject(doc []byte, deepest int, field func(r *reader, name []byte)) error {
	r := reader{doc: doc, at: passSpace(doc, 0), levels: deepest}
	if r.kind() != '{' {
		return fmt.Errorf("%w: no JSON object", ErrMalformed)
	}
	r.object(func(name []byte) { field(&r, name) })
	if passSpace(doc, r.at) < len(doc) {
		r.fail("something follows the JSON object")
	}
	return r.err
}

// fail keeps the first error. It says where, and not what is there: that may be a secret.
func (r *reader) fail(why string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s, at byte %d", ErrMalformed, why, r.at)
	}
}

// move goes on to a place, if there is one.
func (r *reader) move(to int) {
	if to < 0 {
		r.fail("no JSON, or nested too deep")
		return
	}
	r.at = to
}

// kind is the byte that the next value begins with, 0 = there is nothing to read.
func (r *reader) kind() byte {
	if r.err != nil || r.at >= len(r.doc) {
		return 0
	}
	return r.doc[r.at]
}

// skip passes over the next value.
func (r *reader) skip() {
	if r.err == nil {
		r.move(passValue(r.doc, r.at, r.levels))
	}
}

// object calls field for each name of an object; a value that field does not read is passed over.
// It tells whether there is an object. A name is only good until its value is read.
func (r *reader) object(field func(name []byte)) bool {
	if !r.open('{') {
		return false
	}
	for !r.closed('}') {
		name := r.name()
		value := r.at
		if field(name); r.at == value {
			r.skip()
		}
		r.goOn('}')
	}
	return r.err == nil
}

// list calls item for each value of a list; one that item does not read is passed over. It tells
// whether there is a list.
func (r *reader) list(item func()) bool {
	if !r.open('[') {
		return false
	}
	for !r.closed(']') {
		value := r.at
		if item(); r.at == value {
			r.skip()
		}
		r.goOn(']')
	}
	return r.err == nil
}

// open enters an object or a list; a value of another kind is passed over.
func (r *reader) open(with byte) bool {
	if r.kind() != with || r.levels == 0 {
		r.skip()
		return false
	}
	r.levels--
	r.at = passSpace(r.doc, r.at+1)
	return true
}

// closed leaves what is open when it ends here.
func (r *reader) closed(end byte) bool {
	if r.err != nil {
		return true
	}
	if r.kind() != end {
		return false
	}
	r.levels++
	r.at++
	return true
}

// goOn goes on to the next part of what is open, or to its end.
func (r *reader) goOn(end byte) {
	r.at = passSpace(r.doc, r.at)
	if r.err != nil || r.kind() == end {
		return
	}
	if r.move(passByte(r.doc, r.at, ',')); r.kind() == end {
		r.fail("no JSON")
	}
}

// name reads a name and its colon.
func (r *reader) name() []byte {
	if r.kind() != '"' {
		r.fail("no JSON")
		return nil
	}
	name, plain := r.quoted()
	if r.at = passSpace(r.doc, r.at); r.err == nil {
		r.move(passByte(r.doc, r.at, ':'))
	}
	if !plain {
		name = unquote(name)
	}
	return name
}

// quoted reads what is between two quotation marks: plain when it stands there as it is meant.
func (r *reader) quoted() (raw []byte, plain bool) {
	from := r.at + 1
	end, plain := passString(r.doc, r.at)
	if r.move(end); end < 0 {
		return nil, true
	}
	return r.doc[from : end-1], plain
}

// text reads a string. What is broken in it is replaced.
func (r *reader) text() string { return string(r.word()) }

// word is [reader.text] of which part of the document may be returned.
func (r *reader) word() []byte {
	if r.kind() != '"' {
		r.skip()
		return nil
	}
	raw, plain := r.quoted()
	if plain {
		return raw
	}
	return unquote(raw)
}

// flag reads true or false.
func (r *reader) flag() bool {
	is := r.kind() == 't'
	r.skip()
	return is && r.err == nil
}

// truth reads true or false, however Slack writes it.
func (r *reader) truth() bool {
	if r.kind() == '"' {
		return string(r.word()) == "true"
	}
	return r.flag()
}

// whole reads a whole number, however Slack writes it; see [count].
func (r *reader) whole() (n count) {
	switch kind := r.kind(); {
	case kind == '"', kind == '-', '0' <= kind && kind <= '9':
		_ = n.UnmarshalJSON(r.span()) // it never fails
	default:
		r.skip()
	}
	return n
}

// textOrID reads a string where Slack sometimes sends an object with an id: the user of team_join,
// the channel of channel_created.
func (r *reader) textOrID() (id string) {
	if r.kind() != '{' {
		return r.text()
	}
	r.object(func(name []byte) {
		if string(name) == "id" {
			id = r.text()
		}
	})
	return id
}

// raw is a copy of the next value as it stands in the document.
func (r *reader) raw() json.RawMessage { return bytes.Clone(r.span()) }

// span is the next value as it stands in the document, and part of it; nil when there is none.
func (r *reader) span() []byte {
	from := r.at
	r.skip()
	return r.since(from)
}

// since is what was read since a value began.
func (r *reader) since(from int) []byte {
	if r.err != nil {
		return nil
	}
	return r.doc[from:r.at]
}
