package stories

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

func TestWhatIsWrongStandsUnderItsFieldAndNothingTypedIsLost(t *testing.T) {
	t.Parallel()
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	types(maria, "shoots", "/order new")
	maria.SeesDialog("New photo order")
	maria.Fill("Instructions", "Brighten it.")
	maria.Press("Place Order")
	maria.SeesError("Photos…", "Please complete this required field.")
	maria.Fill("Project name", "Typed & <kept>")
	maria.Press("Place Order")
	maria.SeesError("Photos (optional)…", "Add at least one photo or photo link.")
	maria.SeesValue("Project name", "Typed & <kept>")
	maria.Fill("Photo links", "ftp://example.com/a.jpg")
	maria.Press("Place Order")
	maria.SeesError("Photo links", "ftp://example.com/a.jpg")
	kept := func() {
		t.Helper()
		maria.SeesValue("Instructions", "Brighten it.")
		maria.SeesValue("Project name", "Typed & <kept>")
	}
	kept()
	maria.Reload() // Slack's own client has lost the form then, and the app its window: it keeps the words
	maria.SeesField("Message #shoots")
	browser.Evaluate[bool](maria, `import("/static/js/modal.js").then(() => true)`) // what draws a dialog is there
	maria.Settle()
	maria.SeesNoDialog()
	types(maria, "shoots", "/order new")
	maria.Sees("You have an unfinished order")
	maria.Press("Continue")
	maria.SeesValue("Photo links", "ftp://example.com/a.jpg")
	kept()

	maria.Fill("Photo links", s.Samples()[0]+".missing")
	maria.Press("Place Order")
	maria.Sees("The photo service could not open")
	kept()
	require.Empty(t, s.Photos.Orders())
	maria.Fill("Photo links", s.Samples()[0])
	maria.Press("Place Order")
	maria.Sees("Order placed")
	require.Contains(t, s.order().Project, "Typed & <kept>")
}

func TestAnOrderWithoutAMouse(t *testing.T) {
	t.Parallel()
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	maria.TabTo("Message #shoots")
	maria.Keys("/or")
	maria.Sees("1 suggestion")
	maria.Keys("\t")
	maria.SeesValue("Message #shoots", "/order ")
	maria.Keys("new\r")
	maria.SeesDialog("New photo order")
	maria.TabTo("More Options")
	maria.Keys("\r")
	maria.TabTo("Photo links (optional)")
	maria.Write(s.Samples()[0])
	maria.TabTo("Instructions")
	maria.Keys("Brighten it.\rKeep the sand.")
	maria.TabTo("Project name (optional)")
	maria.Keys("By keyboard")
	maria.TabTo("Place Order")
	maria.Keys(" ")
	maria.Sees("Open the order's card") // the window changes no more
	s.until("the window has its answer", func() bool { return browser.Evaluate[bool](maria, `!document.querySelector("form[aria-busy=true]")`) })
	maria.Keys(kb.Escape)
	maria.SeesNoDialog()
	maria.SeesFocus("Message #shoots") // where it was before
	require.Equal(t, []string{"Brighten it.", "Keep the sand."}, s.order().Instructions)

	maria.Sees("By keyboard")
	maria.TabToItem("By keyboard", chromedp.ModifierShift)
	maria.Keys("\r")
	maria.ArrowTo("More: Cancel order")
	maria.Keys("\r")
	maria.ArrowTo("Cancel order")
	maria.Keys("\r")
	maria.Sees("promises to take it back until")
	maria.TabTo("Cancel Order")
	maria.Keys("\r")
	maria.SeesNoDialog()
	maria.Sees("Canceled")
	require.Equal(t, "canceled", s.order().Status)
}

func TestPhotosOfAMessageAreOrderedFromItsMenuOnThePage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	maria.Drop("This is the very beginning of the channel. To order a message’s photos, choose Order these photos in its menu. For others, type /order.", s.onDisk(0, 2)...)
	maria.Sees("beach.jpg")
	maria.Fill("Message #shoots", "Please brighten these")
	maria.Press("Send now")
	maria.SeesPictures(2, browser.Where{Item: "Please brighten these"})
	maria.PressOn("Please brighten these", "More actions")
	maria.Press("Order these photos")
	maria.SeesDialog("New photo order")
	maria.Sees("2 photos in this order")
	maria.SeesPictures(2)
	maria.SeesValue("Instructions", "Please brighten these")
	maria.Press("Place Order")
	maria.Sees("Order placed")
	require.Len(t, s.order().Images, 2)
}

func TestNothingIsLostOrDoneTwiceWhenTheNextAnswerIs(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	lose := func() {
		t.Helper()
		maria.Press("Editor's desk")
		maria.Press("Lose the next answer")
		maria.Sees("Waiting for the next write")
		maria.Press("Close the panel")
	}
	lose()
	order := s.orders(maria, "shoots", "Lost answer", 0)
	maria.Press("Editor's desk")
	maria.SeesButton("Lose the next answer") // the desk is there
	maria.DoesNotSee("Waiting for the next write")
	maria.Press("Close the panel")
	require.NoError(t, s.Photos.Deliver(order.ID))
	maria.Sees("Ready for review")
	lose()
	maria.PressOn("Ready for review", "More actions for…")
	maria.Press("Approve with feedback")
	maria.SeesDialog("Approve order")
	maria.Fill("Feedback", "Lovely.")
	maria.Press("Approve Order")
	maria.Sees("The order is closed")
	maria.Press("Close")
	maria.SeesNoDialog()
	require.Equal(t, 1, s.order().Approvals)
	require.Equal(t, []string{"Lovely."}, s.order().Feedback)
	require.Equal(t, 1, s.countInThread("Lost answer", "Approved"))
}

// held is a window whose uploads wait while somebody says so.
const held = `{
  const go = globalThis.fetch;
  globalThis.fetch = async (where, what) => {
    if (String(where).endsWith("/upload")) await globalThis.upload;
    return go(where, what);
  };
}`

// As in Slack, a form is not sent while a photo of it is on its way: it would be lost without a word.
func TestAFormWaitsForThePhotosThatAreOnTheirWay(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots", browser.Options{Before: held})
	types(maria, "shoots", "/order new")
	maria.SeesDialog("New photo order")
	maria.Fill("Instructions", "Brighten the sky.")
	maria.Upload("Add files", s.onDisk(0)...)
	maria.SeesPictures(1)
	browser.Evaluate[bool](maria, "(globalThis.upload = new Promise((go) => { globalThis.arrive = go }), true)")
	maria.Upload("Add files", s.onDisk(1)...)
	maria.Sees("Uploading…")
	maria.Keys("\r", chromedp.ModifierCtrl)
	browser.Evaluate[bool](maria, "(setTimeout(() => arrive(), 1000), true)")
	maria.Press("Place Order") // once one can
	maria.Sees("Order placed")
	require.Len(t, s.order().Images, 2)
}
