package stories

import (
	"net/http"
	"os"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// The versions of each photo are compared on a page of the app: whole and by keys alone, on a desk and on a phone.
func TestAPageComparesTheVersionsOfEachPhoto(t *testing.T) {
	t.Parallel()
	s := onPage(t)
	maria, ben := s.sits("maria", "shoots"), s.person("ben")
	order := s.orders(maria, "shoots", "Summer catalogue", 0, 1)
	s.deliver(ben, order.ID)
	first := ben.Follow("Ready for review", "Compare")
	require.Contains(t, string(s.get(first, http.StatusOK)), "Brighten the sky.")
	maria.SeesPictures(2, browser.Where{Item: "Ready for review"})
	maria.PressOn("Ready for review", "Request Changes")
	maria.SeesDialog("Request changes")
	maria.Fill("1 · beach.jpg", "Warmer, please.")
	maria.Press("Request Changes")
	maria.Sees("Changes requested: Summer catalogue")
	maria.Press("Close")
	maria.SeesNoDialog()
	require.NoError(t, s.Photos.Deliver(order.ID))
	ben.SeesBroadcast("round 2")
	address := ben.Follow("round 2", "Compare")
	s.get(address, http.StatusOK)
	require.Contains(t, string(s.get(first, http.StatusNotFound)), "This link no longer works", "a newer round has come")

	for _, look := range []browser.Look{{}, {Phone: true, Dark: true}} {
		s.compares(address, look)
	}
	approveOn(ben, "round 2", "Summer catalogue")
	ben.SeesInThread("Summer catalogue", "Approved by Ben")
	require.Contains(t, string(s.get(address, http.StatusNotFound)), "This link no longer works", "the round is decided")
	require.NotContains(t, s.app.said(), "/review/", "the log has no link")
}

// compares looks at the page of a second round, whose first photo has three versions and whose second has two.
func (s *stage) compares(address string, look browser.Look) {
	s.t.Helper()
	x := s.chromium.Open(s.t, address, browser.Options{Phone: look.Phone, Dark: look.Dark, Patience: glance})
	x.Sees("Photo 1 of 2")
	x.Sees("1 · beach.jpg")
	x.Sees("Warmer, please.")
	x.SeesPictures(1)
	s.t.Logf("%s: the first picture is there after %.0f ms", look, browser.Evaluate[float64](x, firstPicture))
	s.wholeForEverybody(x, look)

	x.TabTo("Slide between the versions")
	x.Keys(kb.ArrowLeft)
	x.SeesPictures(2)
	require.Equal(s.t, "75% of the way from Last Round to This Round", slides(x))
	s.wholeForEverybody(x, look)
	x.Press("Original")
	x.SeesPictures(1)
	require.Equal(s.t, "Original", slides(x))

	x.Keys(kb.ArrowRight)
	x.Sees("Photo 2 of 2")
	x.Sees("2 · house.jpg")
	x.DoesNotSee("Warmer, please.")
	x.SeesPictures(1)
	x.Press("Zoom In")
	x.Keys(kb.ArrowRight)
	x.Sees("Photo 2 of 2")
	x.Press("Whole Picture")
	x.Press("Previous")
	x.Sees("Photo 1 of 2")
}

// firstPicture is when the first picture had been fetched, in milliseconds since the page was asked for.
const firstPicture = `Math.min(...performance.getEntriesByType("resource").filter((e) => !e.name.includes("compare.")).map((e) => e.responseEnd))`

// slides is what a screen reader says of the slider.
func slides(x *browser.T) string {
	return browser.Evaluate[string](x, `document.querySelector("input[type=range]").getAttribute("aria-valuetext")`)
}

// wholeForEverybody requires that the page fits and that axe-core finds nothing.
func (s *stage) wholeForEverybody(x *browser.T, look browser.Look) {
	s.t.Helper()
	require.Empty(s.t, x.Overflow(), look.String())
	axe, err := os.ReadFile(axePath)
	if err != nil {
		require.False(s.t, required(), "axe-core: npm ci --prefix .ci brings it: %v", err)
		s.t.Logf("no axe-core (%v): npm ci --prefix .ci brings it", err)
		return
	}
	require.Empty(s.t, violations(x, string(axe)), look.String())
}
