package page

import "net/http"

// faultsView is what goes wrong now.
type faultsView struct {
	ServiceDown bool `json:"service_down"`
	LoseNext    bool `json:"lose_next"`
}

// faultsDeed flips the switches that it names.
type faultsDeed struct {
	ServiceDown *bool `json:"service_down"`
	LoseNext    *bool `json:"lose_next"`
}

func (p *Page) faultRoutes(mux *http.ServeMux) {
	if p.o.Photos == nil {
		return
	}
	mux.HandleFunc("GET /page/faults", func(rw http.ResponseWriter, _ *http.Request) { answer(rw, http.StatusOK, p.faults()) })
	mux.HandleFunc("POST /page/faults", p.flip)
}

func (p *Page) faults() faultsView {
	return faultsView{
		ServiceDown: !p.o.Photos.Running(), LoseNext: p.o.Photos.LosesNextAnswer(),
	}
}

// flip flips switches and answers how they all are then.
func (p *Page) flip(rw http.ResponseWriter, r *http.Request) {
	var d faultsDeed
	err := read(rw, r, &d)
	if err == nil {
		err = p.misbehave(d)
	}
	if err != nil {
		refuse(rw, err)
		return
	}
	answer(rw, http.StatusOK, p.faults())
}

func (p *Page) misbehave(d faultsDeed) error {
	now := p.faults()
	if differs(d.LoseNext, now.LoseNext) {
		p.o.Photos.LoseNextAnswer(*d.LoseNext)
	}
	if differs(d.ServiceDown, now.ServiceDown) {
		return p.serviceDown(*d.ServiceDown)
	}
	return nil
}

func differs(wanted *bool, now bool) bool { return wanted != nil && *wanted != now }

func (p *Page) serviceDown(down bool) error {
	if !down {
		return p.o.Photos.Up()
	}
	p.o.Photos.Down()
	p.switchedOff()
	return nil
}
