// Package samples are a few photos to order for whoever has none at hand.
//
// They are ours: drawn/ holds their drawings, which Chromium paints at 960 by
// 640 pixels; what is embedded are those pictures as JPEG of quality 76. All are
// a little dark and flat, so that an editor has something to do.
package samples

import (
	"embed"
	"sync"
)

// Photo is one of them.
type Photo struct {
	Name        string // "beach.jpg"
	Description string // what is on it
	Content     []byte // JPEG
}

//go:embed *.jpg
var pictures embed.FS

var all = sync.OnceValue(func() []Photo {
	photos := []Photo{
		{Name: "beach.jpg", Description: "A parasol and a ball on a beach"},
		{Name: "house.jpg", Description: "The front of a small house"},
		{Name: "cake.jpg", Description: "A wedding cake by candlelight"},
		{Name: "shoe.jpg", Description: "A red shoe on a wooden table"},
		{Name: "cat.jpg", Description: "A cat on a windowsill"},
	}
	for i := range photos {
		photos[i].Content, _ = pictures.ReadFile(photos[i].Name) // a test reads each of them
	}
	return photos
})

// All are the photos, in the order in which they are best shown.
func All() []Photo { return all() }
