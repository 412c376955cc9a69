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

// largestPicture is what a picture may weigh: the README shows some.
const largestPicture = 400_000

// shots takes numbered pictures of what somebody has before them.
type shots struct {
	t   *testing.T
	x   *browser.T
	dir string
	n   int
}

// take takes a screen wide and narrow, by day and by night.
func (s *shots) take(screen string) {
	s.t.Helper()
	s.n++
	for _, l := range []browser.Look{{}, {Dark: true}, {Phone: true}, {Phone: true, Dark: true}} {
		name := fmt.Sprintf("%02d-%s-%d-%s.png", s.n, screen, l.Width(), map[bool]string{false: "light", true: "dark"}[l.Dark])
		small := lighter(s.t, seen(s.x, l))
		require.Less(s.t, len(small), largestPicture, name)
		require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, name), small, 0o644)) //nolint:gosec // everybody may look
	}
	s.x.Turn(browser.Look{})
	s.x.Settle()
}

// seen is the page at rest, looked at like that.
func seen(x *browser.T, l browser.Look) []byte {
	x.Turn(l)
	browser.Evaluate[bool](x, "document.activeElement?.blur() ?? true")
	x.Rest()
	x.Settle()
	browser.Evaluate[bool](x, painted)
	return x.Picture()
}

// painted waits for the pictures that are in sight.
const painted = `Promise.all([...document.images].filter((e) => {
	const at = e.getBoundingClientRect();
	return at.bottom > 0 && at.top < innerHeight && at.width > 0;
}).map((e) => e.decode().catch(() => {}))).then(() => true)`

// TestScreenshots takes pictures of the screens that matter; it is no story.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("DARKROOM_SCREENSHOTS")
	if dir == "" {
		t.Skip("make screenshots takes them")
	}
	w := walks(t, browser.Options{Before: fmt.Sprintf(morning, time.Now().UnixMilli())})
	s, maria := w.stage, w.T
	require.NoError(t, s.SharePhotos())
	shot := &shots{t: t, x: maria, dir: dir}
	inItem := func(words string) browser.Where { return browser.Where{Item: words} }
	maria.SeesPictures(3, inItem("Brighten these"))
	shot.take("first-look")
	maria.Press("Order these photos")
	maria.SeesDialog("New photo order")
	maria.Sees("3 photos in this order")
	shot.take("order-form")
	maria.Fill("Project name", "Summer catalogue")
	maria.Press("Place Order")
	maria.Sees("Order placed")
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.Sees("1 reply")
	shot.take("card")
	require.NoError(t, s.Photos.Deliver(s.order().ID))
	maria.SeesPictures(3, inItem("Ready for review: "))
	shot.take("review-first-round")
	maria.Press("Editor's desk")
	maria.SeesPictures(6, browser.Where{Region: "Behind the scenes"})
	shot.take("desk")
	maria.Press("Close the panel")
	maria.PressOn("Ready for review: ", "Request Changes")
	maria.SeesDialog("Request changes")
	w.writesTo(2, "Less yellow, and straighten the left wall.")
	shot.take("request-changes")
	maria.Press("Request Changes")
	maria.Sees("Changes requested")
	maria.Press("Close")
	maria.SeesNoDialog()
	require.NoError(t, s.Photos.Deliver(s.order().ID))
	maria.SeesPictures(1, inItem("], round 2"))
	shot.take("review-later-round")
	w.presses(inItem("Ready for review: "), "Approve")
	w.look = func(step string) {
		if step == "approve" {
			shot.take(step)
		}
	}
	w.goes("approve", func() bool { return s.order().Approvals > 0 })
	maria.SeesNoButton("Approve")
	shot.take("decided-review")
	maria.Press("Darkroom APP")
	maria.Sees("Summer catalogue", browser.Where{Region: "Home"})
	shot.take("home")
	maria.Press("shoots")
	maria.SeesField("Message #shoots")
	types(maria, "shoots", "/order list")
	maria.Sees("Only visible to you")
	shot.take("list")
	types(maria, "shoots", "/order show")
	maria.Sees("History")
	shot.take("show")
	s.screenshotsOfMany(shot)
}

// screenshotsOfMany are those of a channel with contact sheets, several orders and a month behind it.
func (s *stage) screenshotsOfMany(shot *shots) {
	s.t.Helper()
	maria := shot.x
	setsOnPage(maria, "Orders")
	maria.Pick("Contact sheets", "Every round…")
	maria.Press("Save")
	maria.Sees("Every round has a contact sheet.")
	maria.Press("Close")
	maria.SeesNoDialog()
	for i, project := range []string{"Autumn windows", "Winter catalogue"} {
		order := s.orders(maria, "shoots", project, []int{i, i + 1}...)
		require.NoError(s.t, s.Photos.Deliver(order.ID))
		maria.SeesPictures(1, browser.Where{Item: "Ready for review: " + project})
	}
	shot.take("contact-sheet")
	maria.Press("Darkroom APP")
	maria.Press("Approve Several Orders")
	maria.SeesDialog("Approve orders")
	maria.SeesPictures(4)
	for _, o := range s.Photos.Orders()[1:] {
		maria.Check("Approve", browser.Where{Region: o.Project + " (optional)"})
	}
	shot.take("approve-several")
	maria.Press("Approve Selected")
	maria.Sees("is approved.")
	maria.DoesNotSee("on the way")
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.Press("shoots")
	maria.SeesField("Message #shoots")
	types(maria, "shoots", "/order report")
	maria.SeesDialog("Report")
	maria.SeesPictures(1)
	shot.take("report")
	maria.Press("Close")
	maria.SeesNoDialog()
	s.screenshotsOfWhoDecides(shot)
}

// screenshotsOfWhoDecides are those of an order that goes over a limit, and of the same when who ordered it is gone.
func (s *stage) screenshotsOfWhoDecides(shot *shots) {
	s.t.Helper()
	maria, ben := shot.x, s.person("ben")
	limits(ben, "1", "@Maria")
	asksFirst(s.world, ben, "Spring windows")
	question := browser.Where{Item: "May this order be placed?"}
	maria.SeesButton("Decline", question)
	shot.take("may-it-be-placed")
	maria.Press("Allow", question)
	maria.Sees("Allowed by Maria")
	maria.Sees("1 reply", browser.Where{Item: "Spring windows"})
	s.leaves("ben")
	all := s.Photos.Orders()
	require.NoError(s.t, s.Photos.Deliver(all[len(all)-1].ID))
	maria.SeesPictures(1, browser.Where{Item: "Ben has left this workspace"})
	maria.SeesButton("Take Over")
	shot.take("take-over")
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
