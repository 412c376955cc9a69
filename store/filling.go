package store

import (
	"cmp"
	"maps"
	"slices"

	"darkroom/order"
)

// Filling is what the form of a draft was filled from. What a person had typed before is not lost:
// it comes back with the next filling that has nothing in its place.
type Filling struct {
	ID     string      `json:"id,omitempty"`    // a preset's, or [LastOrder]; "": nothing any more
	Name   string      `json:"name,omitempty"`  // as it was called then
	Given  order.Brief `json:"given,omitzero"`  // what it put into the form
	Before order.Brief `json:"before,omitzero"` // what stood in the form in its place
	Gen    string      `json:"gen,omitempty"`   // another each time
	Lost   int         `json:"lost,omitempty"`  // reference images that it could not put in
	House  bool        `json:"house,omitempty"` // nobody chose it: it is the channel's house style
	Crowd  int         `json:"crowd,omitempty"` // reference images for which there was no room
}

// LastOrder is the id of what fills a form in from the newest order of its channel; no preset has it.
const LastOrder = "last"

// Fill puts what f gives into the form, in place of what was filled in before: the service type, the
// instructions, the customer's id and the reference images. What f has none of stays as a person typed
// it; so do photos, other addresses and the name. With an empty f the form is as they typed it.
func (d *Draft) Fill(f Filling) {
	f.Before = d.own()
	d.URLs = d.ownURLs()
	if old := d.Filling; old != nil {
		d.Each = maps.Clone(d.Each)
		for _, s := range old.Given.Sources {
			if !slices.Contains(d.URLs, s.URL) {
				delete(d.Each, s.URL)
			}
		}
	}
	d.Service = cmp.Or(f.Given.Service, f.Before.Service)
	d.CustomerID = cmp.Or(f.Given.CustomerID, f.Before.CustomerID)
	d.Instructions = f.Before.Instructions
	if len(f.Given.Instructions) > 0 {
		d.Instructions = f.Given.Instructions
	}
	f.Given.Sources, f.Crowd = d.addReferences(f.Given.Sources)
	d.Filling = &f
}

// addReferences adds those that the draft does not have and for which there is room; it returns them, and
// how many found none.
func (d *Draft) addReferences(sources []order.Source) (added []order.Source, crowd int) {
	for _, s := range sources {
		switch {
		case slices.Contains(d.URLs, s.URL):
			continue
		case len(d.Files)+len(d.URLs) >= order.MaxImages:
			crowd++
			continue
		}
		if d.Each == nil {
			d.Each = map[string]PerImage{}
		}
		d.URLs = append(slices.Clip(d.URLs), s.URL)
		d.Each[s.URL] = PerImage{Service: order.ServiceReference, Instruction: s.Instruction}
		added = append(added, s)
	}
	return added, crowd
}

// own is what a person typed themselves into the fields that are filled: what was there before, and
// what they changed since.
func (d Draft) own() order.Brief {
	now := order.Brief{Service: d.Service, Instructions: d.Instructions, CustomerID: d.CustomerID}
	f := d.Filling
	if f == nil {
		return now
	}
	if f.Given.Service == now.Service {
		now.Service = f.Before.Service
	}
	if f.Given.CustomerID != "" && (now.CustomerID == "" || now.CustomerID == f.Given.CustomerID) {
		now.CustomerID = f.Before.CustomerID
	}
	if len(f.Given.Instructions) > 0 {
		now.Instructions = slices.Concat(f.Before.Instructions, slices.DeleteFunc(slices.Clone(d.Instructions), func(line string) bool {
			return slices.Contains(f.Given.Instructions, line) || slices.Contains(f.Before.Instructions, line)
		}))
	}
	return now
}

// ownURLs are the addresses that were not filled in.
func (d Draft) ownURLs() []string {
	if d.Filling == nil {
		return d.URLs
	}
	return slices.DeleteFunc(slices.Clone(d.URLs), func(url string) bool {
		return slices.ContainsFunc(d.Filling.Given.Sources, func(s order.Source) bool { return s.URL == url })
	})
}

// Untouched says that nobody has put anything into the draft's form, nor chosen what fills it.
func (d Draft) Untouched() bool { return d.Filling == nil && d.Typed == "" && !d.filled() }
