package commands

import (
	"context"
	"strings"
	"time"

	"darkroom/cards"
	"darkroom/store"
)

// refPhoto is a file that may be given as reference. Its address is made once: another for
// each attempt would look like another photo.
type refPhoto struct {
	Name    string `json:"name"`
	URL     string `json:"url,omitempty"`     // "" = it cannot be given
	Problem string `json:"problem,omitempty"` // why
	Picture bool   `json:"picture,omitempty"` // it could be given if we had a public address
}

// photosOf gives addresses to the files that may have one.
func (c *Commands) photosOf(some []slackFile) []refPhoto {
	photos := make([]refPhoto, len(some))
	for i, f := range some {
		photos[i] = refPhoto{Name: f.Name, Problem: f.problem()}
		photos[i].Picture = photos[i].Problem == ""
		switch {
		case !photos[i].Picture:
		case c.files == nil:
			photos[i].Problem = cards.NoAddress
		default:
			photos[i].URL = c.files.URL(f.ID, f.Name, time.Now())
		}
	}
	return photos
}

// album keeps images that somebody may give as reference: those of a message, or those
// that could not be sent. They are that person's alone.
type album struct {
	Order       string     `json:"order,omitempty"`
	User        string     `json:"user"`
	Photos      []refPhoto `json:"photos,omitempty"`
	URLs        []string   `json:"urls,omitempty"`
	Instruction string     `json:"instruction,omitempty"`
}

// keepAlbum keeps one under a name made from what it belongs to.
func (c *Commands) keepAlbum(ctx context.Context, of string, a album) (note string, err error) {
	note = "album:" + hash(of)
	return note, c.store.Note(ctx, note, a, keptLife)
}

// album reads one; those of other people do not exist.
func (c *Commands) album(ctx context.Context, note, user string) (album, error) {
	var a album
	if !strings.HasPrefix(note, "album:") {
		return a, store.ErrNoNote
	}
	err := c.store.Noted(ctx, note, &a)
	if err == nil && a.User != user {
		err = store.ErrNoNote
	}
	return a, err
}

// ready are the photos that can be given.
func (a album) ready() []refPhoto {
	var can []refPhoto
	for _, p := range a.Photos {
		if p.URL != "" {
			can = append(can, p)
		}
	}
	return can
}

// shown are the photos as the form lists them.
func (a album) shown() []cards.RefPhoto {
	listed := make([]cards.RefPhoto, len(a.Photos))
	for i, p := range a.Photos {
		listed[i] = cards.RefPhoto{Name: p.Name, Problem: p.Problem}
	}
	return listed
}

// names are what people call the images: a photo's name, an address.
func (a album) names() []string {
	var names []string
	for _, p := range a.ready() {
		names = append(names, p.Name)
	}
	return append(names, a.URLs...)
}
