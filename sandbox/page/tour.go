package page

import (
	"net/http"
	"slices"
	"strings"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/samples"
	"darkroom/sandbox/workspace"
)

// tour is how far the visitor has come; Page.mu guards it.
type tour struct {
	done   map[string]bool // by step; what was seen once stays seen
	outage outage
}

// outage is what was asked for while the service was switched off, and since.
type outage struct {
	before int  // deeds done when it began
	asked  bool // somebody submitted something during it
	since  int  // what was asked for after it; each may be a deed
}

// carriedOut tells whether more was done than was asked for since: that was asked for during it.
func (out outage) carriedOut(deeds int) bool { return out.asked && deeds-out.before > out.since }

// tourView is the checklist.
type tourView struct {
	Steps []tourStep `json:"steps"`
}

// tourStep is one thing to try.
type tourStep struct {
	ID   string `json:"id"`
	Does string `json:"title"`
	How  string `json:"how"`
	Done bool   `json:"done"`
}

// stop is a step and what ticks it off; nil: the page does when it happens.
type stop struct {
	tourStep
	seen func(p *Page, all []photos.Order) bool
}

// anyOrder is a stop's seen that asks each order.
func anyOrder(of func(photos.Order) bool) func(*Page, []photos.Order) bool {
	return func(_ *Page, all []photos.Order) bool { return slices.ContainsFunc(all, of) }
}

// stops are the steps in the order in which they are best tried. None is ticked off by a click on the tour.
var stops = []stop{
	{
		tourStep{ID: "order", Does: "Order Ben’s photos", How: "The form opens with them, and with what Ben wants."},
		anyOrder(func(o photos.Order) bool { return len(o.Images) > 0 }),
	},
	{
		tourStep{ID: "revise", Does: "Ask for a change", How: "The pretend editor delivers in two seconds. Press Request Changes on the review and write under a photo. He cannot read: he only makes that photo brighter."},
		anyOrder(func(o photos.Order) bool { return len(o.Revisions) > 0 }),
	},
	{
		tourStep{ID: "approve", Does: "Approve", How: "When you like the photos, press Approve. The channel reads who approved."},
		anyOrder(func(o photos.Order) bool { return o.Approvals > 0 }),
	},
	{
		tourStep{ID: "message", Does: "Write to the editor", How: "Order again, and mention @darkroom in the order’s thread. You can answer as the editor, on the Editor’s desk."},
		anyOrder(func(o photos.Order) bool {
			return slices.ContainsFunc(o.Messages, func(m photos.Entry) bool { return m.From == "client" })
		}),
	},
	{
		tourStep{ID: "cancel", Does: "Cancel an order", How: "Switch Automatic editor off on the Editor’s desk, else the edits are back before you can. Order, and cancel the order on its card."},
		anyOrder(func(o photos.Order) bool { return o.Status == "canceled" }),
	},
	{tourStep{ID: "home", Does: "Open Darkroom’s Home", How: "Press Darkroom in the sidebar: what waits for you, your orders, the credits."}, nil},
	{
		tourStep{ID: "studio", Does: "Order as Ben in #studio", How: "Act as Ben, at the bottom of the sidebar. /invite @darkroom into #studio and order there: no other channel hears of it."},
		func(p *Page, all []photos.Order) bool { return p.ordered("ben", "studio", all) },
	},
	{
		tourStep{ID: "outage", Does: "Order while the service is off", How: "Switch the service off on the Editor’s desk, order or approve. It waits. Switch the service on again, and it happens, once."},
		func(p *Page, all []photos.Order) bool {
			return p.o.Photos.Running() && p.tour.outage.carriedOut(deeds(all))
		},
	},
}

// ordered tells whether the channel has the card of an order that the person placed: the app's message that says of
// which order it is, and for whom, by a mention or by name.
func (p *Page) ordered(person, channel string, all []photos.Order) bool {
	who := p.ws.User(person)
	named := func(text string) bool {
		return strings.Contains(text, "<@"+who.ID+">") || strings.Contains(text, "for "+who.RealName) || strings.Contains(text, "@"+who.RealName)
	}
	return slices.ContainsFunc(p.ws.Messages(channel), func(m workspace.Message) bool {
		about, _ := m.Metadata["event_payload"].(map[string]any)
		known := slices.ContainsFunc(all, func(o photos.Order) bool { return o.ID == about["order_id"] })
		return m.BotID != "" && known && named(m.Text)
	})
}

// byClient are the kinds of deeds that the service does because it was asked to.
var byClient = []string{photos.DeedPlaced, photos.DeedMessage, photos.DeedReferences, photos.DeedRevised, photos.DeedApproved, photos.DeedCanceled}

// deeds is how much the service was asked for and did.
func deeds(all []photos.Order) int {
	n := 0
	for _, o := range all {
		for _, d := range o.History {
			if slices.Contains(byClient, d.Kind) {
				n++
			}
		}
	}
	return n
}

// switchedOff begins an outage.
func (p *Page) switchedOff() {
	before := deeds(p.o.Photos.Orders())
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tour.outage = outage{before: before}
}

// acted notes that somebody asks for something, during an outage or after it.
func (p *Page) acted(act string, d deed) {
	asks := act == "submit" || act == "command" || act == "say" || act == "act" && d.Target.View == ""
	if p.o.Photos == nil || !asks {
		return
	}
	running := p.o.Photos.Running()
	p.mu.Lock()
	defer p.mu.Unlock()
	if running {
		p.tour.outage.since++
	} else if act == "submit" {
		p.tour.outage.asked = true
	}
}

func (p *Page) sampleRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /page/samples", p.samples)
	mux.HandleFunc("GET /page/samples/{name}", p.sample)
}

// tourNow ticks off what there is to see now and answers the checklist; nil without a service.
func (p *Page) tourNow() *tourView {
	if p.o.Photos == nil {
		return nil
	}
	orders := p.o.Photos.Orders()
	p.mu.Lock()
	defer p.mu.Unlock()
	v := &tourView{}
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

// homeShown ticks off that somebody has the app's Home before them.
func (p *Page) homeShown() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tour.tick("home")
}

// samples are the photos that one may order without having any.
func (p *Page) samples(rw http.ResponseWriter, _ *http.Request) {
	files := []map[string]any{}
	for _, s := range samples.All() {
		files = append(files, map[string]any{
			"name": s.Name, "says": s.Description, "url": "/page/samples/" + s.Name, "type": "image/jpeg", "size": len(s.Content),
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
