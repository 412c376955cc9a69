package stories

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// morning is a script that makes every story begin at the same minute of the same day, as far as the page shows it.
const morning = `(() => {
	const Real = Date, shift = Real.UTC(2026, 4, 12, 10, 24) - %d;
	globalThis.Date = class extends Real {
		constructor(...of) {
			if (of.length === 0) super(Real.now() + shift);
			else if (of.length === 1 && typeof of[0] === "number") super(of[0] + shift);
			else if (of.length === 1 && typeof of[0] === "string") super(Real.parse(of[0]) + shift);
			else super(...of);
		}
	};
})();`

// largestPicture is what a picture of the README may weigh.
const largestPicture = 300_000

// TestScreenshots takes the pictures of docs/screenshots; it is no story.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("DARKROOM_SCREENSHOTS")
	if dir == "" {
		t.Skip("make screenshots takes them")
	}
	s := onPage(t)
	take := func(x *browser.T, name string) {
		t.Helper()
		browser.Evaluate[bool](x, "document.activeElement?.blur() ?? true")
		x.Rest()
		x.Settle()
		small := lighter(t, x.Picture())
		require.Less(t, len(small), largestPicture, name)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".png"), small, 0o644)) //nolint:gosec // everybody may look
	}
	now := fmt.Sprintf(morning, time.Now().UnixMilli())
	maria := s.sits("maria", "shoots", browser.Options{Before: now})
	types(maria, "shoots", "The beach shots for the summer catalogue are in. I'll order them now.")
	types(maria, "shoots", "/order new")
	maria.SeesDialog("New photo order")
	maria.Upload("Add files", s.onDisk(0, 1, 3)...)
	maria.SeesPictures(3)
	maria.Fill("Instructions", "Brighten the sky, keep the sand as it is.\nStraighten the horizon.")
	maria.Fill("Project name", "Summer catalogue")
	maria.Choose("Post to", "#shoots") // the form from its beginning
	take(maria, "order-form")
	maria.Press("Place order")
	maria.Sees("Order placed")
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.Sees("1 reply")
	require.NoError(t, s.Photos.Deliver(s.order().ID))
	maria.Sees("2 replies")
	maria.SeesPictures(3, browser.Where{Item: "Ready for review"})
	take(maria, "review")
	maria.Turn(browser.Look{Dark: true})
	take(maria, "review-dark")
	maria.Turn(browser.Look{})
	maria.Press("Editor's desk")
	maria.SeesPictures(6, browser.Where{Region: "Behind the scenes"})
	take(maria, "desk")
	maria.Press("Wire")
	take(maria, "wire")

	phone := s.sits("ben", "shoots", browser.Options{Before: now, Phone: true, Sharp: true})
	phone.SeesPictures(3, browser.Where{Item: "Ready for review"})
	take(phone, "phone")
}

// lighter is the picture in somewhat fewer colours, which nobody sees and a PNG weighs less for.
func lighter(t *testing.T, picture []byte) []byte {
	t.Helper()
	seen, err := png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)
	flat := image.NewNRGBA(seen.Bounds())
	draw.Draw(flat, flat.Rect, seen, image.Point{}, draw.Src)
	for i, v := range flat.Pix {
		flat.Pix[i] = uint8(min(255, (int(v)+2)&^3)) //nolint:gosec // it is at most 255
	}
	var out bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, flat))
	return out.Bytes()
}
