package order

import (
	"cmp"
	"slices"
	"time"
)

// Brief is the request as a person typed it when placing an order. The service never returns it, so only
// orders placed here have one.
type Brief struct {
	By           string      `json:"by,omitempty"` // Slack user ID
	Instructions []string    `json:"instructions,omitempty"`
	AllowedBy    string      `json:"allowed_by,omitempty"` // the approver who let it be placed; "": no approval was needed
	AllowedAt    time.Time   `json:"allowed_at,omitzero"`
	Preset       string      `json:"preset,omitempty"`  // name of the preset that filled the form; "": none
	Service      ServiceType `json:"service,omitempty"` // of each image without its own
	CustomerID   string      `json:"customer_id,omitempty"`
	Sources      []Source    `json:"sources,omitempty"` // in the order of the form, which numbers them from 1
}

// Source is one image of a request.
type Source struct {
	Name        string      `json:"name,omitempty"`        // file name, or the last part of the address
	URL         string      `json:"url,omitempty"`         // as typed; "": a photo from Slack, whose signed address is secret
	File        string      `json:"file,omitempty"`        // Slack file ID; "": it has a URL, or an older version placed the order
	Service     ServiceType `json:"service,omitempty"`     // "": the service of the brief
	Instruction string      `json:"instruction,omitempty"` // for this image alone, in addition to those of the brief
}

// Reference reports whether the image only shows the editor an idea and is not edited.
func (s Source) Reference() bool { return s.Service == ServiceReference }

// NumberedSource is a source with its number in the form, from 1.
type NumberedSource struct {
	Number int
	Source
}

// References returns the reference images.
func (b Brief) References() []NumberedSource { return b.sources(Source.Reference) }

// Edited returns the number of images to edit.
func (b Brief) Edited() int { return len(b.Sources) - len(b.References()) }

// Differences returns the images to edit that have their own service or instruction.
func (b Brief) Differences() []NumberedSource {
	return b.sources(func(s Source) bool {
		return !s.Reference() && (s.Instruction != "" || cmp.Or(s.Service, b.Service) != b.Service)
	})
}

// sources returns the sources that match, with their numbers.
func (b Brief) sources(match func(Source) bool) []NumberedSource {
	var found []NumberedSource
	for i, s := range b.Sources {
		if match(s) {
			found = append(found, NumberedSource{i + 1, s})
		}
	}
	return found
}

// Essence returns the brief without image addresses and file IDs, which only the order itself needed. Images
// without their own service and instruction lose their names too. All images keep their numbers.
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

// Repeatable returns the parts of the brief that a new order can reuse: everything that holds for all images,
// and the reference images with typed addresses. lost counts the reference images left out: photos from Slack,
// and images whose addresses were deleted. The preset is left out, because a new order starts from this order, not from the
// preset.
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
