package answers

import (
	"slices"

	"darkroom/cards/talk"
	"darkroom/store"
)

// RefPhoto is a file that may be given as reference. Its address is made once: another for
// each attempt would look like another photo.
type RefPhoto struct {
	Name    string `json:"name"`
	File    string `json:"file,omitempty"`    // its id in Slack
	URL     string `json:"url,omitempty"`     // "" = it cannot be given
	Problem string `json:"problem,omitempty"` // why
	Picture bool   `json:"picture,omitempty"` // it could be given if we had a public address
}

// Album keeps images that somebody may give as reference: those of a message, or those
// that could not be sent. They are that person's alone.
type Album struct {
	Order       string     `json:"order,omitempty"`
	User        string     `json:"user"`
	Photos      []RefPhoto `json:"photos,omitempty"`
	URLs        []string   `json:"urls,omitempty"`
	Instruction string     `json:"instruction,omitempty"`

	Each map[string]string `json:"each,omitempty"` // the instructions of single images, by their addresses
}

// Empty tells that there is nothing to give and nothing to say of it.
func (a Album) Empty() bool { return len(a.Ready()) == 0 && len(a.URLs) == 0 && a.Instruction == "" }

// Ready are the photos that can be given.
func (a Album) Ready() []RefPhoto {
	return slices.DeleteFunc(slices.Clone(a.Photos), func(p RefPhoto) bool { return p.URL == "" })
}

// Shown are the photos as the form lists them.
func (a Album) Shown() []talk.RefPhoto {
	listed := make([]talk.RefPhoto, len(a.Photos))
	for i, p := range a.Photos {
		listed[i] = talk.RefPhoto{Name: p.Name, File: p.File, Problem: p.Problem}
	}
	return listed
}

// Images are those that can be given, as the second step of the form asks for their instructions.
func (a Album) Images() []talk.RefImage {
	var images []talk.RefImage
	for _, p := range a.Ready() {
		images = append(images, talk.RefImage{Name: p.Name, File: p.File})
	}
	for _, address := range a.URLs {
		images = append(images, talk.RefImage{Name: store.ImageName(address), URL: address})
	}
	for i, address := range a.Addresses() {
		images[i].Instruction = a.Each[address]
	}
	return images
}

// Addresses are those of the images, in their order: first the photos that can be given.
func (a Album) Addresses() []string {
	var all []string
	for _, photo := range a.Ready() {
		all = append(all, photo.URL)
	}
	return append(all, a.URLs...)
}

// Telling is the album with the instructions of single images, by their places, and that for all others.
func (a Album) Telling(each map[int]string, all string) Album {
	a.Each, a.Instruction = map[string]string{}, all
	for i, address := range a.Addresses() {
		if each[i] != "" {
			a.Each[address] = each[i]
		}
	}
	return a
}

// Names are what people call the images: a photo's name, an address.
func (a Album) Names() []string {
	var names []string
	for _, p := range a.Ready() {
		names = append(names, p.Name)
	}
	return append(names, a.URLs...)
}
