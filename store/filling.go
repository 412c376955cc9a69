package store

import (
	"cmp"
	"maps"
	"slices"

	"darkroom/order"
)

// Filling is the source that filled a draft's form in. The person's own words come back when the next
// filling has no value for their field.
type Filling struct {
	ID     string      `json:"id,omitempty"`    // a preset's, or [LastOrder]; "": no source any more
	Name   string      `json:"name,omitempty"`  // the preset's name at that time
	Given  order.Brief `json:"given,omitzero"`  // the values that it put into the form
	Before order.Brief `json:"before,omitzero"` // the values that it replaced
	Gen    string      `json:"gen,omitempty"`   // new for each filling
	Lost   int         `json:"lost,omitempty"`  // reference images that it could not put in
	House  bool        `json:"house,omitempty"` // nobody chose it: it is the channel's house style
	Crowd  int         `json:"crowd,omitempty"` // reference images that did not fit
}

// LastOrder is the ID of a filling from the newest order of the channel; no preset has it.
const LastOrder = "last"

// presetName returns the name of the preset that filled the form in last; "" if none did, or the newest order of the channel.
func (d Draft) presetName() string {
	if f := d.Filling; f != nil && f.ID != "" && f.ID != LastOrder {
		return f.Name
	}
	return ""
}

// Fill fills the form in from f, and takes the values of the filling before out: the service type, the
// instructions, the customer's id and the reference images. Fields that f lacks get back what the person
// typed; photos, other addresses and the name stay. An empty f leaves only what the person typed.
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

// addReferences adds the reference images that the draft lacks, while there is room. It returns the added
// ones, and how many did not fit.
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

// own returns what the person typed into the fields that a filling sets: the values before it, and
// the changes since.
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

// ownURLs returns the addresses that no filling put in.
func (d Draft) ownURLs() []string {
	if d.Filling == nil {
		return d.URLs
	}
	return slices.DeleteFunc(slices.Clone(d.URLs), func(url string) bool {
		return slices.ContainsFunc(d.Filling.Given.Sources, func(s order.Source) bool { return s.URL == url })
	})
}

// Untouched reports whether nobody has typed into the draft's form or chosen a filling.
func (d Draft) Untouched() bool { return d.Filling == nil && d.Typed == "" && !d.filled() }
