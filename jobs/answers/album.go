package answers

import (
	"maps"
	"slices"

	"darkroom/cards/kit"
	"darkroom/cards/talk"
	"darkroom/store"
)

// RefPhoto is a file that may be added as a reference. Its address is made once, because a new address would look like
// another photo to the service.
type RefPhoto struct {
	Name    string `json:"name"`
	File    string `json:"file,omitempty"`    // id in Slack
	URL     string `json:"url,omitempty"`     // "": the file cannot be added
	Problem string `json:"problem,omitempty"` // why it cannot
	Picture bool   `json:"picture,omitempty"` // it can, given a public address of the app
}

// Album holds the images that one person may add as references: those of a message, or those that could not be sent.
type Album struct {
	Order       string     `json:"order,omitempty"`
	User        string     `json:"user"`
	Photos      []RefPhoto `json:"photos,omitempty"`
	URLs        []string   `json:"urls,omitempty"`
	Instruction string     `json:"instruction,omitempty"`

	Each map[string]string `json:"each,omitempty"` // instruction of an image, by its address
}

// Empty reports whether there is neither a usable image nor an instruction.
func (a Album) Empty() bool { return len(a.Ready()) == 0 && len(a.URLs) == 0 && a.Instruction == "" }

// Ready returns the photos that can be added.
func (a Album) Ready() []RefPhoto {
	return slices.DeleteFunc(slices.Clone(a.Photos), func(p RefPhoto) bool { return p.URL == "" })
}

// Shown returns the photos for the form.
func (a Album) Shown() []talk.RefPhoto {
	return kit.Map(a.Photos, func(_ int, p RefPhoto) talk.RefPhoto {
		return talk.RefPhoto{Name: p.Name, File: p.File, Problem: p.Problem}
	})
}

// Images returns the usable images with their instructions, for the form's second step.
func (a Album) Images() []talk.RefImage {
	images := kit.Map(a.Ready(), func(_ int, p RefPhoto) talk.RefImage { return talk.RefImage{Name: p.Name, File: p.File} })
	for _, address := range a.URLs {
		images = append(images, talk.RefImage{Name: store.ImageName(address), URL: address})
	}
	for i, address := range a.Addresses() {
		images[i].Instruction = a.Each[address]
	}
	return images
}

// Addresses returns the images' addresses in their order: first the photos, then the URLs.
func (a Album) Addresses() []string {
	return append(kit.Map(a.Ready(), func(_ int, p RefPhoto) string { return p.URL }), a.URLs...)
}

// WithInstructions returns the album with the instructions of some photos, by their indexes. "" removes one.
func (a Album) WithInstructions(each map[int]string) Album {
	a.Each = maps.Clone(a.Each)
	if a.Each == nil {
		a.Each = map[string]string{}
	}
	for i, address := range a.Addresses() {
		if text, here := each[i]; here {
			a.Each[address] = text
		}
		if a.Each[address] == "" {
			delete(a.Each, address)
		}
	}
	return a
}

// Names returns the images' names for people: a photo's name, or an address.
func (a Album) Names() []string {
	return append(kit.Map(a.Ready(), func(_ int, p RefPhoto) string { return p.Name }), a.URLs...)
}
