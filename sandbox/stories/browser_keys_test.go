package stories

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// f6 is the key that goes to the next part of the page.
const f6 = kb.F6

func TestFromNothingToApprovedByKeysAlone(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	require.NoError(t, s.SharePhotos())
	maria := s.sits("maria", "shoots")
	maria.Sees("Brighten these")
	maria.Keys("\t")
	maria.SeesFocus("Skip to the messages")
	maria.Keys("\r")
	maria.SeesFocusOn("Brighten these")

	maria.Keys("\r")
	maria.ArrowTo("More actions")
	maria.Keys("\r")
	maria.ArrowTo("Order these photos")
	maria.Keys("\r")
	maria.SeesDialog("New photo order")
	maria.Sees("3 photos in this order")
	maria.TabTo("Instructions")
	maria.Keys(kb.End + " Thank you.")
	maria.TabTo("Place Order")
	maria.Keys("\r")
	maria.Sees("Order placed")
	maria.Keys(kb.Escape)
	maria.SeesNoDialog()
	maria.SeesFocus("More actions") // where it was before
	order := s.order()
	require.Len(t, order.Images, 3)
	require.Contains(t, order.Instructions[0], "Thank you.")
	maria.Keys(kb.Escape) // out of Ben's message, and on from there

	require.NoError(t, s.Photos.Deliver(order.ID))
	maria.SeesPictures(3, browser.Where{Item: "Ready for review"})
	maria.TabTo("Message #shoots")
	maria.Keys("\t", chromedp.ModifierShift)
	require.Contains(t, maria.Focus().Text, "Ready for review", "the newest message")
	maria.Keys("\r")
	maria.ArrowTo("Approve")
	maria.Keys("\r")
	maria.Sees("This closes the order.")
	maria.TabTo("Approve")
	maria.Keys(" ")
	maria.SeesNoDialog()
	maria.SeesNoButton("Approve")
	maria.SeesFocusOn("is over.") // the button is gone, and its message is not
	require.Equal(t, "closed", s.order().Status)
}

func TestEachMessageIsOneTabStopAndF6LeadsFromPartToPart(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	require.NoError(t, s.SharePhotos())
	maria := s.sits("maria", "shoots")
	s.orders(maria, "shoots", "Keys", 2)
	maria.TabTo("Message #shoots")
	maria.Keys("\t", chromedp.ModifierShift)
	require.Contains(t, maria.Focus().Text, "Keys", "the card, whatever buttons it has")
	maria.Keys("\t", chromedp.ModifierShift)
	require.Contains(t, maria.Focus().Text, "Brighten these")
	maria.Keys(kb.ArrowDown)
	require.Contains(t, maria.Focus().Text, "Keys")
	maria.Keys("\r")
	maria.ArrowTo("Reply in thread")
	maria.Keys("\t")
	maria.SeesFocus("Message #shoots")

	for _, part := range []string{"Tour", "Workspace", "Message #shoots"} {
		maria.Keys(f6)
		maria.SeesFocus(part)
	}
	maria.Keys(f6, chromedp.ModifierShift)
	maria.SeesFocus("Workspace")
	maria.Keys("/", chromedp.ModifierCtrl)
	maria.SeesDialog("Keys")
	maria.Sees("the next part of the page")
	maria.Keys(kb.Escape)
	maria.SeesNoDialog()
	maria.SeesFocus("Workspace")

	maria.PressOn("Brighten these", "Reply in thread")
	maria.SeesFocus("Reply…")
	maria.Keys("/", chromedp.ModifierCtrl)
	maria.SeesDialog("Keys")
	maria.Keys(kb.Escape)
	maria.SeesNoDialog()
	maria.SeesFocus("Reply…") // the thread behind is still open
	maria.Keys(kb.Escape)
	maria.SeesFocus("Message #shoots")

	// Fast fingers: Esc for the list of keys, and Esc for the thread before anything is drawn.
	maria.PressOn("Brighten these", "Reply in thread")
	maria.SeesFocus("Reply…")
	maria.Keys("/", chromedp.ModifierCtrl)
	maria.SeesDialog("Keys")
	browser.Evaluate[bool](maria, `(document.querySelector("dialog.keys").close(),
		document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true, cancelable: true})))`)
	maria.SeesFocus("Message #shoots")
}

func TestWhoStandsOnWhatGoesAwayStandsOnWhatHeldIt(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	order := s.orders(maria, "shoots", "Changing", 2)
	maria.TabTo("Message #shoots")
	maria.Keys("\t", chromedp.ModifierShift)
	maria.Keys("\r")
	maria.ArrowTo("More: Cancel order")
	require.NoError(t, s.Photos.Deliver(order.ID))
	maria.SeesPictures(1, browser.Where{Item: "1 edited photo"})
	ben := s.person("ben")
	approveOn(ben, "Ready for review", "Changing")
	maria.SeesButton("Show Final Photos")
	maria.SeesFocusOn("Changing")

	maria.TabTo("Hide the tour", chromedp.ModifierShift)
	maria.Keys("\r")
	maria.DoesNotSee("1 of 8")
	maria.SeesFocus("#shoots")
}

func TestTheCaretStaysBehindACompletedMention(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	for _, typed := range []string{"@b", "@ben"} { // whole already, and there is nothing to write for it
		maria.Fill("Message #shoots", typed+" please")
		maria.Keys(kb.Home)
		for range typed {
			maria.Keys(kb.ArrowRight)
		}
		maria.SeesButton("Ben @ben")
		maria.Keys("\tlook, ")
		maria.SeesValue("Message #shoots", "@ben look, please")
	}
}

func TestAnInvitationLeavesItsLine(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "studio")
	types(maria, "studio", "/invite @darkroom")
	maria.Sees("Darkroom", browser.Where{Item: "was added to #studio by Maria."})
}
