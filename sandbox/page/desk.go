package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"darkroom/sandbox/photos"
)

const maxWritten = 5000 // characters of a message of the editor

// deskView is the photo editor's desk, and what else concerns nobody in the workspace.
type deskView struct {
	Credits   json.Number `json:"credits"`
	Automatic bool        `json:"automatic"`
	Orders    []deskOrder `json:"orders"` // newest first
	Faults    faultsView  `json:"faults"`
}

// deskOrder is an order with its pictures as the page shows them, and what the editor can do now.
type deskOrder struct {
	photos.Order
	Images     []deskPicture   `json:"images"`
	References []deskPicture   `json:"references"`
	Edited     []deskEdit      `json:"edited"`    // the latest of each image
	Revisions  [][]deskRequest `json:"revisions"` // oldest first
	Can        []string        `json:"can"`
}

// deskPicture is an image as the client sent it.
type deskPicture struct {
	Name        string `json:"name"`
	Service     string `json:"service"`
	Instruction string `json:"instruction"`
	Picture     string `json:"picture"` // where the page shows it
}

// deskEdit is an edited image.
type deskEdit struct {
	Name     string `json:"name"`
	Source   int    `json:"source"` // index in images
	Revision int    `json:"revision"`
	Thumb    string `json:"thumb"`
	Origin   string `json:"origin"`
}

// deskRequest is what a revision wants of one image.
type deskRequest struct {
	Name  string   `json:"name"`
	Wants []string `json:"wants"`
}

func (p *Page) deskRoutes(mux *http.ServeMux) {
	if p.o.Photos == nil {
		return
	}
	mux.HandleFunc("GET /page/desk/stream", p.deskStream)
	mux.HandleFunc("GET /page/desk/picture", p.deskPicture)
	mux.HandleFunc("GET /page/picture", p.servicePicture)
	mux.HandleFunc("POST /page/desk/{act}", p.deskAct)
}

// deskStream tells a tab all that lies on the desk, and again whenever it changed.
func (p *Page) deskStream(rw http.ResponseWriter, r *http.Request) {
	p.follow(rw, r, source{event: "desk", changed: p.o.Photos.Changed, tell: func() any { return p.desk() }})
}

func (p *Page) desk() deskView {
	orders := p.o.Photos.Orders()
	v := deskView{
		Credits: json.Number(p.o.Photos.Credits().String()), Automatic: p.o.Photos.Automatic(),
		Orders: make([]deskOrder, 0, len(orders)), Faults: p.faults(),
	}
	for _, o := range slices.Backward(orders) {
		v.Orders = append(v.Orders, onDesk(o))
	}
	return v
}

func onDesk(o photos.Order) deskOrder {
	d := deskOrder{Order: o, Images: []deskPicture{}, References: []deskPicture{}, Edited: []deskEdit{}, Revisions: [][]deskRequest{}, Can: o.Can()}
	for i, src := range o.Images {
		d.Images = append(d.Images, deskPicture{
			Name: o.Names[i], Service: src.Service, Instruction: src.Instruction,
			Picture: pictureAddress(o.ID, "before", strconv.Itoa(i)),
		})
	}
	for i, ref := range o.References {
		d.References = append(d.References, deskPicture{
			Name: lastOf(ref.URL), Instruction: ref.Instruction,
			Picture: pictureAddress(o.ID, "aside", strconv.Itoa(i)),
		})
	}
	for _, e := range latest(o.Edited) {
		d.Edited = append(d.Edited, deskEdit{
			Name: e.Name, Source: e.Source, Revision: e.Revision,
			Thumb: pictureAddress(o.ID, "preview", e.ID), Origin: pictureAddress(o.ID, "after", e.ID),
		})
	}
	for _, round := range o.Revisions {
		d.Revisions = append(d.Revisions, requests(o, round))
	}
	return d
}

// latest are the newest edits, one of each image, in the order of the images.
func latest(all []photos.Edited) []photos.Edited {
	newest := map[int]photos.Edited{}
	for _, e := range all {
		newest[e.Source] = e
	}
	var found []photos.Edited
	for _, source := range slices.Sorted(maps.Keys(newest)) {
		found = append(found, newest[source])
	}
	return found
}

// requests are what a round of revision wants, by the images' names.
func requests(o photos.Order, round map[string][]string) []deskRequest {
	all := []deskRequest{}
	for _, e := range o.Edited {
		if wants := round[e.ID]; len(wants) > 0 {
			all = append(all, deskRequest{Name: e.Name, Wants: wants})
		}
	}
	return all
}

func lastOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Path[strings.LastIndex(u.Path, "/")+1:]
	}
	return address
}

func pictureAddress(order, which, at string) string {
	return "/page/desk/picture?" + url.Values{"order": {order}, which: {at}}.Encode()
}

// deskPicture shows a picture of an order, also while the service is off the network.
func (p *Page) deskPicture(rw http.ResponseWriter, r *http.Request) {
	look, err := p.pictureOf(r.URL.Query())
	if err != nil {
		refuse(rw, errNoFile)
		return
	}
	display(rw, r, look)
}

// servicePicture shows a picture by the service's own address: Slack keeps what it has
// once shown, so a message's pictures stay while the service is off the network.
func (p *Page) servicePicture(rw http.ResponseWriter, r *http.Request) {
	look, err := p.o.Photos.Download(r.URL.Query().Get("url"))
	if err != nil {
		refuse(rw, errNoFile)
		return
	}
	display(rw, r, look)
}

// display shows a picture; what no browser draws is a download.
func display(rw http.ResponseWriter, r *http.Request, look photos.Look) {
	if !slices.Contains(shown, look.Kind) {
		rw.Header().Set("Content-Disposition", "attachment")
		look.Kind = "application/octet-stream"
	}
	rw.Header().Set("Content-Type", look.Kind)
	rw.Header().Set("Cache-Control", "private, max-age=3600, immutable")
	http.ServeContent(rw, r, "", time.Time{}, bytes.NewReader(look.Content))
}

func (p *Page) pictureOf(asked url.Values) (photos.Look, error) {
	order := asked.Get("order")
	switch {
	case asked.Has("after"):
		return p.o.Photos.After(order, asked.Get("after"), false)
	case asked.Has("preview"):
		return p.o.Photos.After(order, asked.Get("preview"), true)
	case asked.Has("aside"):
		n, err := strconv.Atoi(asked.Get("aside"))
		if err != nil {
			return photos.Look{}, err
		}
		return p.o.Photos.Aside(order, n)
	}
	n, err := strconv.Atoi(asked.Get("before"))
	if err != nil {
		return photos.Look{}, err
	}
	return p.o.Photos.Before(order, n)
}

// deskDeed is what the editor does, with all that any act needs.
type deskDeed struct {
	Order string `json:"order"`
	Text  string `json:"text"`
	On    bool   `json:"on"`
}

var deskActs = map[string]func(p *Page, d deskDeed) error{
	"deliver": func(p *Page, d deskDeed) error { return p.o.Photos.Deliver(d.Order) },
	"pause":   func(p *Page, d deskDeed) error { return p.o.Photos.Pause(d.Order) },
	"resume":  func(p *Page, d deskDeed) error { return p.o.Photos.Resume(d.Order) },
	"say":     (*Page).deskSay,
	"automatic": func(p *Page, d deskDeed) error {
		p.o.Photos.SetAutomatic(d.On)
		return nil
	},
}

// deskAct does what the path names, as the photo editor.
func (p *Page) deskAct(rw http.ResponseWriter, r *http.Request) {
	do, known := deskActs[r.PathValue("act")]
	if !known {
		refuse(rw, errNoSuchPage)
		return
	}
	var d deskDeed
	err := read(rw, r, &d)
	if err == nil {
		err = do(p, d)
	}
	if err != nil {
		refuse(rw, err)
		return
	}
	answer(rw, http.StatusOK, struct{}{})
}

// read decodes a small JSON body; an empty one is all zero.
func read(rw http.ResponseWriter, r *http.Request, into any) error {
	err := json.NewDecoder(http.MaxBytesReader(rw, r.Body, maxAct)).Decode(into)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("this was not understood: %w", err)
	}
	return nil
}

func (p *Page) deskSay(d deskDeed) error {
	text := strings.TrimSpace(d.Text)
	o, known := p.o.Photos.Order(d.Order)
	switch {
	case text == "":
		return errors.New("there is nothing to send")
	case utf8.RuneCountInString(text) > maxWritten:
		return fmt.Errorf("that is too long: a message holds %d characters", maxWritten)
	case known && !slices.Contains(o.Can(), "say"):
		return fmt.Errorf("order %s is %s: nobody would read it", o.ID, o.Status)
	}
	return p.o.Photos.Say(d.Order, text)
}
