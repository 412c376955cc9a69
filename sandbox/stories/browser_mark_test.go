package stories

import (
	"fmt"
	"path"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
	"darkroom/sandbox/photos"
)

// Twelve photos come back with three faults. The review names them, Maria adds two pins and one sentence, and the editor
// gets all of it. In the second round two of the three are done, and the third is asked for again.
func TestTwelvePhotosAreSeenPointedAtAndJudged(t *testing.T) {
	t.Parallel()
	s := onPage(t)
	s.pointsAt(s.sits("maria", "shoots"), func(string, *browser.T) {})
}

// pointsAt is that story; look looks at each step.
func (s *stage) pointsAt(maria *browser.T, look func(step string, x *browser.T)) {
	t := s.t
	t.Helper()
	setsOnPage(maria, "Delivered photos")
	maria.Fill("Size in pixels", "900")
	maria.Press("Save")
	maria.Sees("Photos: long edge 900 px or more.")
	maria.Press("Close")
	maria.SeesNoDialog()
	s.ordersADozen(maria, "A dozen")
	s.Photos.Botches("cake.jpg", photos.Small)
	s.Photos.Botches("shoe.jpg", photos.Untouched)
	s.Photos.Botches("cat.jpg", photos.LeftOut)
	require.NoError(t, s.Photos.Deliver(s.order().ID))
	review := browser.Where{Item: "11 edited photos"}
	maria.Sees("1 photo is missing: cat.jpg. 2 of 11 photos need a look: 3 · cake.jpg is 320 px, ordered 900 px; 5 · shoe.jpg looks like its original.", review)
	look("found", maria)

	maria.PressOn("11 edited photos", "Request Changes")
	maria.SeesDialog("Request changes")
	maria.Sees("Some text is filled in from the check of the photos.")
	look("changes", maria)
	s.marks(browser.Evaluate[string](maria, markLink), s.label(2), "Remove the stain", "Straighten the shelf", look)
	maria.Sees("1: (left, upper third) Remove the stain")
	maria.Sees("2: (middle) Straighten the shelf")
	look("with-pins", maria)
	maria.Fill(s.label(5), "")
	maria.Press("Request Changes")
	maria.Sees("Changes requested: A dozen")
	maria.Press("Close")
	maria.SeesNoDialog()
	edited := s.order().Edited
	require.Equal(t, map[string][]string{
		edited[1].ID: {"1: (left, upper third) Remove the stain", "2: (middle) Straighten the shelf"},
		edited[2].ID: {"Please deliver this photo with a long edge of at least 900 px. It has 320 px."},
	}, s.order().Revisions[0])
	require.Eventually(t, func() bool { return len(s.order().References) == 1 }, patience, tick)
	require.Contains(t, s.order().References[0].Instruction, "2: (middle) Straighten the shelf")

	s.Photos.Botches("cake.jpg", "")
	require.NoError(t, s.Photos.Deliver(s.order().ID))
	round := browser.Where{Item: "round 2"}
	maria.Sees("Remove the stain", round)
	maria.Sees("The other 9 are as in round 1.", round)
	maria.Sees("1 photo is missing: cat.jpg.", round)
	maria.SeesPictures(1, round) // a sheet: each photo that was asked for as it was, and as it is
	look("second-round", maria)
	maria.PressOn("round 2", "Request Changes")
	maria.SeesDialog("Request changes")
	maria.Check("Done: 1: (left, upper third) Remove the stain")
	maria.SeesValue(s.label(2), "again: 2: (middle) Straighten the shelf")
	maria.Check("Done: Please deliver this photo with a long edge of at least 900 px. It ha…")
	maria.SeesButton("Add Changes: " + s.label(3))
	look("ticked", maria)
	maria.Press("Request Changes")
	maria.Sees("Changes requested: A dozen")
	maria.Press("Close")
	maria.SeesNoDialog()
	require.Equal(t, []string{"again: 2: (middle) Straighten the shelf"}, only(t, s.order().Revisions[1]))

	require.NoError(t, s.Photos.Deliver(s.order().ID))
	last := browser.Where{Item: "round 3"}
	maria.Sees("1 photo is missing: cat.jpg.", last)
	maria.SeesPictures(1, last)
	maria.PressOn("round 3", "Approve")
	maria.Press("Approve")
	maria.SeesNoDialog()
	maria.Sees("✅ Approved by Maria · round 3")
	look("approved", maria)
}

// ordersADozen orders the samples and eight more photos of the beach, by their addresses.
func (s *stage) ordersADozen(x *browser.T, project string) {
	s.t.Helper()
	sample := map[string]string{}
	for _, address := range s.Samples() {
		sample[path.Base(address)] = address
	}
	var all []string
	for n, name := range []string{"beach", "house", "cake", "beach", "shoe", "beach", "beach", "beach", "beach", "beach", "beach", "cat"} {
		all = append(all, fmt.Sprintf("%s?shot=%d", sample[name+".jpg"], n+1))
	}
	s.ordersTheseAddresses(x, project, all)
}

// markLink is the address behind the window's link to the page for pins.
const markLink = `[...document.querySelectorAll("a")].find((a) => a.textContent.includes("Mark on the Pictures")).href`

// marks sets two pins on the second photo: one by a tap, and one that keys move.
func (s *stage) marks(address, label, tapped, typed string, look func(step string, x *browser.T)) {
	s.t.Helper()
	x := s.chromium.Open(s.t, address, browser.Options{Patience: glance})
	x.Sees("Photo 1 of 11")
	x.Press("Next")
	x.Sees(label)
	x.SeesPictures(1)
	s.wholeForEverybody(x, browser.Look{})
	x.ClickAt(spotOn(x, 0.2, 0.2))
	x.SeesFocus("What should change at pin 1 on " + label + "?")
	x.Write(tapped)
	x.Press("Save Pin")
	x.Sees("Saved. The form in Slack shows it.")
	x.Press("Pin in the Middle")
	x.Write(typed)
	x.Press("Pin 2: no text yet")
	x.Keys(kb.ArrowRight)
	x.Press("Save Pin")
	x.Sees("This photo has 2 pins")
	for _, l := range []browser.Look{{}, {Phone: true, Dark: true}} {
		x.Turn(l)
		x.Settle()
		s.wholeForEverybody(x, l)
		require.True(s.t, browser.Evaluate[bool](x, inSight), "%s: one sees that it is saved", l)
	}
	x.Turn(browser.Look{})
	x.Press("Pin 2: " + typed)
	x.SeesValue("What should change at pin 2 on "+label+"?", typed)
	look("marked", x)
	browser.Evaluate[bool](x, holdSaves)
	x.Press("Pin in the Middle")
	x.Write("On second thought, no")
	x.Press("Save Pin")
	x.Press("Discard")
	browser.Evaluate[bool](x, "(arrive(), true)")
	x.Sees("Removed. The form in Slack shows it. This photo has 2 pins, all photos have 2 pins.")
}

// holdSaves keeps what the page sends on its way until arrive is called.
const holdSaves = `(() => {
	const send = fetch, gate = new Promise((open) => { globalThis.arrive = open });
	globalThis.fetch = (...what) => gate.then(() => send(...what));
	return true;
})()`

// inSight tells whether one sees, without scrolling, what became of a pin.
const inSight = `(({ top, bottom, height }) => height > 0 && top >= 0 && bottom <= innerHeight)(document.getElementById("saved").getBoundingClientRect())`

// spotOn is the place on the picture that is shown, at shares of its width and height.
func spotOn(x *browser.T, across, down float64) (left, top float64) {
	at := browser.Evaluate[[]float64](x, fmt.Sprintf(`(() => {
		const img = [...document.querySelectorAll("#stage img")].at(-1), box = img.getBoundingClientRect();
		const k = Math.min(box.width / img.naturalWidth, box.height / img.naturalHeight);
		return [box.left + box.width / 2 + (%f - 0.5) * img.naturalWidth * k, box.top + box.height / 2 + (%f - 0.5) * img.naturalHeight * k];
	})()`, across, down))
	return at[0], at[1]
}
