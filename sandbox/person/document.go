package person

import (
	"bytes"
	"encoding/xml"
	"strings"
)

// document is what a person can see and use of a page.
type document struct {
	text  string
	links []link
	forms []*form
}

type link struct{ text, href string }

type form struct {
	method, action string
	fields         []field
	buttons        []field
}

// field is something of a form: a field, a button, or a choice of a list.
type field struct {
	id, name, value, label string
	options                []field
}

// reader puts a document together.
type reader struct {
	doc    document
	text   strings.Builder
	form   *form
	labels map[string]string // by the id of what they name
	unseen int               // depth within what is not shown
	open   []func(text string)
	from   []int // where the text of each began
}

// readPage reads a page as far as a person uses it: text, links and forms.
func readPage(page []byte) document {
	r := &reader{labels: map[string]string{}}
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := d.Token()
		if err != nil { // the end, or what no browser would make sense of either
			break
		}
		switch t := token.(type) {
		case xml.StartElement:
			r.begin(t)
		case xml.EndElement:
			r.end(t.Name.Local)
		case xml.CharData:
			if r.unseen == 0 {
				r.text.Write(t)
			}
		}
	}
	r.doc.text = tidied(r.text.String())
	for _, f := range r.doc.forms {
		for i := range f.fields {
			if label := r.labels[f.fields[i].id]; f.fields[i].id != "" && label != "" {
				f.fields[i].label = label
			}
		}
	}
	return r.doc
}

func (r *reader) begin(t xml.StartElement) {
	at := map[string]string{}
	for _, a := range t.Attr {
		at[strings.ToLower(a.Name.Local)] = a.Value
	}
	then := func(string) {}
	switch name := strings.ToLower(t.Name.Local); name {
	case "style", "script", "title":
		r.unseen++
		then = func(string) { r.unseen-- }
	case "form":
		r.form = &form{method: at["method"], action: at["action"]}
		r.doc.forms = append(r.doc.forms, r.form)
		then = func(string) { r.form = nil }
	case "a":
		then = func(text string) { r.doc.links = append(r.doc.links, link{text: text, href: at["href"]}) }
	case "label":
		then = func(text string) { r.labels[at["for"]] = text }
	case "p", "div", "h1", "h2", "h3", "li", "br", "tr", "option":
		r.text.WriteByte('\n')
	}
	if made := r.control(strings.ToLower(t.Name.Local), at); made != nil {
		then = made
	}
	r.open, r.from = append(r.open, then), append(r.from, r.text.Len())
}

// control notes what belongs to a form, and is what to do with its text.
func (r *reader) control(name string, at map[string]string) func(string) {
	f := r.form
	if f == nil {
		return nil
	}
	one := field{id: at["id"], name: at["name"], value: at["value"], label: at["aria-label"]}
	switch {
	case name == "input" && at["type"] == "submit":
		one.label = at["value"]
		f.buttons = append(f.buttons, one)
	case name == "button":
		return func(text string) {
			one.label = text
			f.buttons = append(f.buttons, one)
		}
	case name == "input", name == "select", name == "textarea":
		f.fields = append(f.fields, one)
	case name == "option" && len(f.fields) > 0:
		of := len(f.fields) - 1
		_, chosen := at["selected"]
		return func(text string) {
			list := &f.fields[of]
			if len(list.options) == 0 || chosen {
				list.value = at["value"]
			}
			list.options = append(list.options, field{value: at["value"], label: text})
		}
	}
	return nil
}

func (r *reader) end(string) {
	if len(r.open) == 0 {
		return
	}
	last := len(r.open) - 1
	then, from := r.open[last], r.from[last]
	r.open, r.from = r.open[:last], r.from[:last]
	then(strings.Join(strings.Fields(r.text.String()[from:]), " "))
}

// tidied is text without empty lines and spare blanks.
func tidied(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
