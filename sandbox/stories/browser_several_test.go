package stories

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
	"darkroom/sandbox/photos"
)

// Before and after hang side by side in the review, what is good is ticked there until Approve is what is left to
// do, and the link beside it brings all images.
func TestAReviewIsLookedAtTickedAndTakenHomeOnThePage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t, sheetsTakeAMoment)
	maria := s.sits("maria", "shoots")
	setsOnPage(maria, "Orders")
	maria.Pick("Contact sheets", "Every round…")
	maria.Check("Upload final photos…")
	maria.Press("Save")
	maria.Sees("Every round has a contact sheet.")
	maria.Press("Close")
	maria.SeesNoDialog()
	order := s.orders(maria, "shoots", "Side by side", 0, 1)
	require.NoError(t, s.Photos.Deliver(order.ID))
	review := browser.Where{Item: "Ready for review: Side by side"}
	maria.SeesPictures(1, review) // the sheet
	for _, look := range []browser.Look{{Phone: true}, {}} {
		maria.Turn(look)
		require.Greater(t, widthOf(maria, "Original, Round 1: 1 · beach.jpg, 2 · house.jpg"), 250, look.String())
		require.Empty(t, maria.Overflow(), look.String())
	}
	require.Len(t, s.unzipped(linkTo(maria, "Download All")), 2)
	requireLit(t, maria, true, "as long as nobody judged any image")

	ticks := func(image int, says string) {
		t.Helper()
		maria.PressOn("Ready for review: Side by side", "Request Changes")
		maria.SeesDialog("Request changes")
		maria.SeesPictures(1) // the sheet
		good := fmt.Sprintf("Photo %d is good", image)
		maria.SeesValue(good, "false")
		maria.Check(good)
		maria.Press("Request Changes")
		maria.Sees(says)
		maria.Press("Close")
		maria.SeesNoDialog()
	}
	ticks(1, "1 of 2 is good. Nothing was sent to the editor.")
	maria.Sees("1 of 2 good", review)
	requireLit(t, maria, false, "one is good, and the other is not")
	ticks(2, "All 2 are good. Nothing was sent to the editor.")
	maria.Sees("All 2 are good", review)
	requireLit(t, maria, true, "it is what is left to do")
	require.Empty(t, s.order().Revisions)

	maria.PressOn("Ready for review: Side by side", "Approve")
	maria.Sees("This closes the order.")
	maria.Press("Approve")
	maria.SeesNoDialog()
	maria.Sees("✅ Approved by Maria")
	maria.PressOn("Side by side", "Reply in thread")
	for _, file := range []string{"1 · beach.jpg", "2 · house.jpg"} { // the files themselves, with what they are called
		maria.SeesPictures(1, browser.Where{Item: file})
	}
}

// What was asked for once fills the next form; both orders are found, approved in one form, and reported.
func TestTwoOrdersAreAskedForAloneAndApprovedTogetherOnThePage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	types(maria, "shoots", "/order new "+s.Samples()[0])
	maria.SeesDialog("New photo order")
	maria.Fill("Instructions", "Keep the sand.\nNo <filters>.")
	maria.Fill("Project name", "Red hats")
	maria.Press("Place Order")
	maria.Sees("Open the order's card") // then the window stays as it is
	maria.Press("Save as Preset")
	maria.SeesDialog("Save as preset")
	maria.Fill("Name", "Beach")
	maria.Press("Save")
	maria.Sees("Saved as Beach")
	maria.Press("Close")
	maria.SeesDialog("Order placed")
	maria.Press("Close")
	maria.SeesNoDialog()
	types(maria, "shoots", "/order new "+s.Samples()[1])
	maria.SeesDialog("New photo order")
	maria.Fill("Project name", "Blue hats")
	maria.Choose("Preset", "Beach")
	maria.SeesValue("Instructions", "Keep the sand.\nNo <filters>.")
	maria.SeesValue("Project name", "Blue hats")
	maria.Press("Place Order")
	maria.Sees("Order placed")
	maria.Press("Close")
	maria.SeesNoDialog()
	both := s.Photos.Orders()
	require.Len(t, both, 2)
	require.Equal(t, both[0].Instructions, both[1].Instructions)
	for _, o := range both {
		require.NoError(t, s.Photos.Deliver(o.ID))
		maria.Sees("Ready for review: " + o.Project)
	}
	types(maria, "shoots", "/order find hats")
	maria.Sees("Orders in your channels")
	maria.Sees("2 orders")

	s.approvesTogether(maria, both)

	maria.Press("shoots")
	maria.SeesField("Message #shoots")
	types(maria, "shoots", "/order report by person")
	maria.SeesDialog("Report")
	maria.SeesPictures(1)
	maria.Sees("2 orders")
	for _, look := range []browser.Look{{Phone: true}, {}} {
		maria.Turn(look)
		require.Greater(t, widthOf(maria, "Credits by person, numbered as below"), 250, look.String())
		require.Empty(t, maria.Overflow(), look.String())
	}
}

// approvesTogether ticks all that wait, in the form of the Home.
func (s *stage) approvesTogether(x *browser.T, all []photos.Order) {
	s.t.Helper()
	x.Press("Darkroom APP…")
	x.Press("Home")
	x.Press("Approve Several Orders")
	x.SeesDialog("Approve orders")
	x.SeesPictures(len(all))
	x.Press("Approve Selected")
	x.SeesError(all[1].Project+" (optional)", "Tick at least one order")
	for _, o := range all {
		x.Check("Approve", browser.Where{Region: o.Project + " (optional)"})
	}
	x.Press("Approve Selected")
	for _, o := range all {
		x.Sees(strings.TrimSpace(o.Project) + " is approved.")
	}
	x.DoesNotSee("on the way")
	x.Press("Close")
	x.SeesNoDialog()
	x.Sees("Nothing waits for you")
	for _, o := range s.Photos.Orders() {
		require.Equal(s.t, 1, o.Approvals, o.Project)
	}
}

// widthOf is how wide the picture of that description is shown.
func widthOf(x *browser.T, alt string) int {
	return browser.Evaluate[int](x, fmt.Sprintf(`Math.round([...document.querySelectorAll("img")]
		.findLast((e) => e.alt.includes(%q) && e.complete && e.naturalWidth > 0)?.getBoundingClientRect().width ?? 0)`, alt))
}

// linkTo is where the newest link of that name leads.
func linkTo(x *browser.T, name string) string {
	return browser.Evaluate[string](x, fmt.Sprintf(`[...document.querySelectorAll("a")].findLast((e) => e.innerText.trim() === %q)?.href ?? ""`, name))
}

// requireLit waits until the newest Approve is, or is not, what most people want.
func requireLit(t *testing.T, x *browser.T, lit bool, why string) {
	t.Helper()
	require.Eventually(t, func() bool {
		return lit == browser.Evaluate[bool](x, `[...document.querySelectorAll("button")].findLast((e) => e.innerText.trim() === "Approve")
			?.classList.contains("bk-button--primary") ?? false`)
	}, glance, tick, why)
}
