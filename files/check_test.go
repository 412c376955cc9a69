package files

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCheckKnowsWhatCanBeOrdered(t *testing.T) {
	tests := map[string]struct {
		name, mimetype string
		size           int64
		want           error
	}{
		"a photo":                      {"beach.jpg", "image/jpeg", 1, nil},
		"a photo by its type":          {"Image from iOS", "image/heic", 1, nil},
		"a photo by its name":          {"beach.JPEG", "", 1, nil},
		"a type with a parameter":      {"beach", "Image/PNG; q=1", 1, nil},
		"a vague type":                 {"DSC_1.NEF", "application/octet-stream", 1, nil},
		"camera raw":                   {"IMG_1.CR3", "image/x-canon-cr3", 1, nil},
		"camera raw by another word":   {"P1.rw2", "image/x-panasonic-raw", 1, nil},
		"an unusual word for a photo":  {"beach.jpg", "image/pjpeg", 1, nil},
		"the largest":                  {"beach.jpg", "image/jpeg", MaxSize, nil},
		"too large":                    {"beach.jpg", "image/jpeg", MaxSize + 1, ErrTooLarge},
		"empty":                        {"beach.jpg", "image/jpeg", 0, ErrEmpty},
		"a document":                   {"brief.pdf", "application/pdf", 1, ErrNotPicture},
		"a document, large":            {"brief.pdf", "application/pdf", MaxSize + 1, ErrNotPicture},
		"a document with a photo name": {"brief.jpg", "application/pdf", 1, ErrNotPicture},
		"a video":                      {"beach.mov", "video/quicktime", 1, ErrNotPicture},
		"a drawing":                    {"logo.svg", "image/svg+xml", 1, ErrNotPicture},
		"a drawing by its name":        {"logo.SVG", "", 1, ErrNotPicture},
		"a drawing under cover":        {"logo.svg", "image/png", 1, ErrNotPicture},
		"a drawing by its type":        {"logo.png", "image/svg+xml", 1, ErrNotPicture},
		"a picture nobody edits":       {"icon.ico", "image/x-icon", 1, ErrNotPicture},
		"nothing known":                {"", "", 1, ErrNotPicture},
		"a page":                       {"beach.jpg.html", "text/html", 1, ErrNotPicture},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			assert.ErrorIs(t, Check(tt.name, tt.mimetype, tt.size), tt.want)
		})
	}
}
