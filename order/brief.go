package order

import (
	"cmp"
	"slices"
	"time"
)

// Brief is what somebody asked for when they placed an order, as they typed it. The service tells
// none of it again: it is known only of an order that was placed here.
type Brief struct {
	By           string      `json:"by,omitempty"` // Slack user id
	Instructions []string    `json:"instructions,omitempty"`
	AllowedBy    string      `json:"allowed_by,omitempty"` // the approver who let it be placed; "": nobody was asked
	AllowedAt    time.Time   `json:"allowed_at,omitzero"`
	Service      ServiceType `json:"service,omitempty"` // of each image that has none of its own
	CustomerID   string      `json:"customer_id,omitempty"`
	Sources      []Source    `json:"sources,omitempty"` // in the order of the form, which numbers them from 1
}

// Source is one image that was handed in with an order.
type Source struct {
	Name        string      `json:"name,omitempty"`        // of the file, or what its address calls it
	URL         string      `json:"url,omitempty"`         // as typed; "": a photo from Slack, whose signed address is a secret
	File        string      `json:"file,omitempty"`        // id of a photo from Slack; "": it has an address, or was ordered before that was kept
	Service     ServiceType `json:"service,omitempty"`     // "": the brief's
	Instruction string      `json:"instruction,omitempty"` // its own; "": only the brief's
}

// Reference says that the image is only looked at, not edited.
func (s Source) Reference() bool { return s.Service == ServiceReference }

// NumberedSource is a source with its number in the form.
type NumberedSource struct {
	Number int
	Source
}

// References are the sources that are not edited.
func (b Brief) References() []NumberedSource { return b.sources(Source.Reference) }

// Edited is how many of the sources are edited.
func (b Brief) Edited() int { return len(b.Sources) - len(b.References()) }

// Differences are the sources to be edited that have a service or an instruction of their own.
func (b Brief) Differences() []NumberedSource {
	return b.sources(func(s Source) bool {
		return !s.Reference() && (s.Instruction != "" || cmp.Or(s.Service, b.Service) != b.Service)
	})
}

// sources are those that fit, with their numbers.
func (b Brief) sources(fits func(Source) bool) []NumberedSource {
	var found []NumberedSource
	for i, s := range b.Sources {
		if fits(s) {
			found = append(found, NumberedSource{i + 1, s})
		}
	}
	return found
}

// Essence is the brief without what only the order's own course needed: where its
// images are, and the names of those about which nothing was said. Their numbers stay.
func (b Brief) Essence() Brief {
	b.Sources = slices.Clone(b.Sources)
	for i, s := range b.Sources {
		s.URL, s.File = "", ""
		if s.Service == "" && s.Instruction == "" {
			s.Name = ""
		}
		b.Sources[i] = s
	}
	return b
}

// Repeatable is what another order can ask for as well: all that counts for every image, and the
// reference images at addresses that were typed. lost is how many reference images it lacks: photos
// from Slack, whose addresses were good for the one order, and those whose addresses are not kept.
func (b Brief) Repeatable() (again Brief, lost int) {
	again = Brief{Instructions: b.Instructions, Service: b.Service, CustomerID: b.CustomerID}
	for _, s := range b.References() {
		if s.URL == "" {
			lost++
			continue
		}
		again.Sources = append(again.Sources, s.Source)
	}
	return again, lost
}
