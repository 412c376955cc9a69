package page

import (
	"net/http"
	"slices"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/samples"
)

// tour is how far the visitor has come; Page.mu guards it.
type tour struct {
	done      map[string]bool // by step; what was seen once stays seen
	dismissed bool
	wasDown   bool // the service was switched off
	armed     bool // the next answer is to be lost
}

// tourView is the checklist.
type tourView struct {
	Dismissed bool       `json:"dismissed"`
	Steps     []tourStep `json:"steps"`
}

// tourStep is one thing to try.
type tourStep struct {
	ID   string            `json:"id"`
	Does string            `json:"title"`
	How  string            `json:"how"`
	Go   map[string]string `json:"go,omitempty"` // where in the page: as, channel, app, pane; type: what to write there
	Done bool              `json:"done"`
}

// stop is a step and what ticks it off; nil: the page does when it happens.
type stop struct {
	tourStep
	seen func(p *Page, all []photos.Order) bool
}

// any is a stop's seen that asks each order.
func anyOrder(of func(photos.Order) bool) func(*Page, []photos.Order) bool {
	return func(_ *Page, all []photos.Order) bool { return slices.ContainsFunc(all, of) }
}

// stops are the steps in the order in which they are best tried.
func (p *Page) stops() []stop {
	shoots, studio := p.ws.Channel("shoots").ID, p.ws.Channel("studio").ID
	return []stop{
		{tourStep{
			ID: "order", Does: "Order two photos",
			How: "In #shoots type /order new and press Enter. Choose two of the Sample photos, say what you want and press Place order.",
			Go:  map[string]string{"as": "maria", "channel": shoots, "type": "/order new"},
		}, anyOrder(func(o photos.Order) bool { return len(o.Images) >= 2 })},
		{tourStep{
			ID: "review", Does: "See them come back",
			How: "The editor needs two seconds. Ready for review appears in the order's thread; before and after lie on the desk.",
			Go:  map[string]string{"pane": "desk"},
		}, anyOrder(func(o photos.Order) bool { return len(o.Edited) > 0 })},
		{tourStep{
			ID: "revise", Does: "Ask for a change on one",
			How: "Press Request changes and write beside one picture only. Only that one is edited again.",
		}, anyOrder(func(o photos.Order) bool { return len(o.Revisions) > 0 })},
		{tourStep{
			ID: "approve", Does: "Approve",
			How: "Press Approve and leave a word of feedback. The card says by whom.",
		}, anyOrder(func(o photos.Order) bool { return o.Approvals > 0 })},
		{tourStep{
			ID: "cancel", Does: "Order again and cancel",
			How: "Switch Automatic editor off on the desk, else the photos are back before you can. Order, then press Cancel order on the card: the credits come back.",
			Go:  map[string]string{"pane": "desk"},
		}, anyOrder(func(o photos.Order) bool { return o.Status == "canceled" })},
		{tourStep{
			ID: "message", Does: "Write to the editor",
			How: "Mention @darkroom in an order's thread, or press Message the editor.",
		}, anyOrder(func(o photos.Order) bool { return wrote(o, true) })},
		{tourStep{
			ID: "say", Does: "Answer as the editor",
			How: "Write to the client on the desk. The service hands it over with its answer to the client's next message.",
			Go:  map[string]string{"pane": "desk"},
		}, anyOrder(func(o photos.Order) bool { return wrote(o, false) })},
		{tourStep{
			ID: "home", Does: "Open Darkroom's Home",
			How: "Press Darkroom in the sidebar, then Home: your orders, what waits for you, the credits.",
			Go:  map[string]string{"as": "maria", "app": "home"},
		}, nil},
		{tourStep{
			ID: "studio", Does: "Look as Ben at #studio",
			How: "Be somebody else. /invite @darkroom, order there, and see that no other channel hears of it.",
			Go:  map[string]string{"as": "ben", "channel": studio},
		}, nil},
		{tourStep{
			ID: "wire", Does: "Watch the wire",
			How: "Every request between Slack, Darkroom and the service, as it happens.",
			Go:  map[string]string{"pane": "wire"},
		}, nil},
		{tourStep{
			ID: "down", Does: "Switch the service off, and on again",
			How: "Switch Service down on, and approve or order: nothing is lost, and it is done when the service is back.",
			Go:  map[string]string{"pane": "faults"},
		}, func(p *Page, _ []photos.Order) bool { return p.tour.wasDown && p.o.Photos.Running() }},
		{tourStep{
			ID: "lose", Does: "Lose an answer",
			How: "Switch Lose the next answer on, and order: the service takes the order, its answer is lost. Darkroom looks before it tries again: one order, paid once.",
			Go:  map[string]string{"pane": "faults"},
		}, func(p *Page, _ []photos.Order) bool { return p.tour.armed && !p.o.Photos.LosesNextAnswer() }},
	}
}

// wrote tells whether the client, or else the editor, wrote into the conversation.
func wrote(o photos.Order, client bool) bool {
	return slices.ContainsFunc(o.Messages, func(m photos.Entry) bool { return (m.From == "client") == client })
}

func (p *Page) tourRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /page/samples", p.samples)
	mux.HandleFunc("GET /page/samples/{name}", p.sample)
	if p.o.Photos != nil {
		mux.HandleFunc("GET /page/tour", func(rw http.ResponseWriter, _ *http.Request) {
			answer(rw, http.StatusOK, p.tourNow(p.o.Photos.Orders()))
		})
		mux.HandleFunc("POST /page/tour", p.tourAct)
	}
}

// tourNow ticks off what there is to see now and answers the checklist.
func (p *Page) tourNow(orders []photos.Order) tourView {
	stops := p.stops()
	p.mu.Lock()
	defer p.mu.Unlock()
	v := tourView{Dismissed: p.tour.dismissed}
	for _, s := range stops {
		if s.seen != nil && !p.tour.done[s.ID] && s.seen(p, orders) {
			p.tour.tick(s.ID)
		}
		s.Done = p.tour.done[s.ID]
		v.Steps = append(v.Steps, s.tourStep)
	}
	return v
}

func (t *tour) tick(id string) {
	if t.done == nil {
		t.done = map[string]bool{}
	}
	t.done[id] = true
}

// tick ticks off what only the page sees.
func (p *Page) tick(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.tour.done[id] {
		p.tour.tick(id)
		p.notice()
	}
}

// looked notes that somebody looks at a channel.
func (p *Page) looked(s *seat, l look) {
	if s.user.Name == "ben" && l.channel != "" && l.channel == p.ws.Channel("studio").ID {
		p.tick("studio")
	}
}

// tourAct puts the tour away or takes it out again.
func (p *Page) tourAct(rw http.ResponseWriter, r *http.Request) {
	var d struct {
		Dismissed bool `json:"dismissed"`
	}
	if err := read(rw, r, &d); err != nil {
		refuse(rw, err)
		return
	}
	p.mu.Lock()
	p.tour.dismissed = d.Dismissed
	p.notice()
	p.mu.Unlock()
	answer(rw, http.StatusOK, p.tourNow(p.o.Photos.Orders()))
}

// samples are the photos that one may order without having any.
func (p *Page) samples(rw http.ResponseWriter, _ *http.Request) {
	files := []map[string]any{}
	for _, s := range samples.All() {
		files = append(files, map[string]any{
			"name": s.Name, "says": s.Says, "url": "/page/samples/" + s.Name, "type": "image/jpeg", "size": len(s.Content),
		})
	}
	answer(rw, http.StatusOK, map[string]any{"files": files})
}

func (p *Page) sample(rw http.ResponseWriter, r *http.Request) {
	for _, s := range samples.All() {
		if s.Name == r.PathValue("name") {
			rw.Header().Set("Content-Type", "image/jpeg")
			rw.Header().Set("Cache-Control", "private, max-age=3600")
			_, _ = rw.Write(s.Content) // the browser went away
			return
		}
	}
	refuse(rw, errNoFile)
}
