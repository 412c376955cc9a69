package files

import (
	"image"
	"os"
	"path/filepath"
	"testing"
)

// FuzzPicture decodes any bytes: no panic, and no picture larger than its header says.
func FuzzPicture(f *testing.F) {
	small := scene(40, 30, 9)
	f.Add(asJPEG(f, small))
	f.Add(held(f, small, 6))
	f.Add(claims(64, 3))
	f.Add(giant(f, 40))
	f.Add([]byte("II*\x00\x08\x00\x00\x00\x00\x00"))
	f.Add([]byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\x08\x00"))
	f.Add([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"))
	if golden, err := os.ReadFile(filepath.Join("testdata", "contact-sheet.jpg")); err == nil {
		f.Add(golden[:4000])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		picture, err := examine(data)
		if err != nil {
			return
		}
		if picture.cost <= 0 || picture.cost > maxDecoded {
			t.Fatalf("a cost of %d", picture.cost)
		}
		if picture.cost > 4<<20 { // each takes its time
			return
		}
		tile, _, err := picture.scaled(t.Context(), image.Pt(64, 48), shrink)
		if err == nil && (tile.Rect.Empty() || tile.Rect.Dx() > 64 || tile.Rect.Dy() > 48) {
			t.Fatalf("a tile of %v", tile.Rect)
		}
	})
}
