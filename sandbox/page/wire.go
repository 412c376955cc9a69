package page

import "net/http"

func (p *Page) wireRoutes(mux *http.ServeMux) {
	if p.o.Wire != nil {
		mux.HandleFunc("GET /page/wire/stream", p.wireStream)
	}
}

// wireStream tells a tab of every exchange that is kept, and of each new one.
func (p *Page) wireStream(rw http.ResponseWriter, r *http.Request) {
	var last int64
	p.follow(rw, r, source{event: "wire", changed: p.o.Wire.Changed, tell: func() []any {
		entries := p.o.Wire.Entries(last)
		all := make([]any, 0, len(entries))
		for _, e := range entries {
			last = e.ID
			all = append(all, e)
		}
		return all
	}})
}

// remark puts a sentence on the wire.
func (p *Page) remark(sentence string) {
	if p.o.Wire != nil {
		p.o.Wire.Say(sentence)
	}
}
