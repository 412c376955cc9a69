package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// phoneToo requires that what is on the screen fits a phone as well.
func phoneToo(t *testing.T, x *browser.T, says string) {
	t.Helper()
	for _, look := range []browser.Look{{Phone: true}, {}} {
		x.Turn(look)
		x.Settle()
		require.Empty(t, x.Overflow(), says+", "+look.String())
	}
}

// Whoever is named in the channel's settings is asked about what costs more than its limit, and nobody else's press
// of Allow counts; the order's history names who allowed it.
func TestWhatCostsMoreThanTheLimitIsAllowedOnThePage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	olga, ben := s.sits("olga", "shoots"), s.sits("ben", "shoots")
	setsOnPage(olga, "Approval and limits")
	olga.Fill("Credits for one order", "one")
	olga.Press("Save")
	olga.SeesError("Credits for one order", "Write whole credits")
	olga.Fill("Credits for one order", "1")
	olga.Press("Save")
	olga.SeesError("Who approves", "Name an approver")
	olga.SeesFocus("@Maria") // of the people there: what is wrong is brought into sight, and read out
	olga.Check("@Olga", browser.Where{Region: "Who approves"})
	phoneToo(t, olga, "settings")
	olga.Press("Save")
	olga.Sees("Only @Olga approves.")
	olga.Sees("An order may cost 1 credit.")
	olga.Press("Close")
	olga.SeesNoDialog()

	types(ben, "shoots", "/order new "+s.Samples()[0]+" "+s.Samples()[1])
	ben.SeesDialog("New photo order")
	ben.Fill("Instructions", "Brighten the sky.")
	ben.Fill("Project name", "Red hats")
	ben.Press("Place Order")
	ben.Sees("Your order is not placed yet.")
	ben.Sees("Nothing was charged")
	phoneToo(t, ben, "what is asked first")
	ben.Press("Close")
	ben.SeesNoDialog()
	question := browser.Where{Item: "May this order be placed?"}
	ben.PressOn(question.Item, "Allow")
	ben.Sees("only @Olga decides about this. Nothing changed.")
	require.Empty(t, s.Photos.Orders())

	olga.Sees("It passes this channel's limit for one order.", question) // a guest reads it, too
	olga.Sees("It is placed once Olga allows it.", question)
	olga.SeesButton("Decline", question)
	phoneToo(t, olga, "the question")
	olga.PressOn(question.Item, "Allow")
	olga.Sees("✅ Allowed by Olga")
	olga.SeesNoButton("Allow")
	olga.SeesNoButton("Decline")
	olga.Sees("Being edited", browser.Where{Item: "Brighten the sky."})
	types(olga, "shoots", "/order history "+s.order().ID)
	olga.Sees("Allowed by @Olga · Today at", browser.Where{Item: "History of Red hats"})
	phoneToo(t, olga, "the history")
}

// Somebody follows an order from its details: its news comes to their direct messages, until they end it.
func TestWhoFollowsReadsTheNewsOnThePage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	order := s.place(s.person("maria"), "Harbour at dawn")
	ben := s.sits("ben", "shoots")
	ben.PressOn("Brighten the sky.", "More actions for…")
	ben.Press("Show details")
	ben.SeesDialog("Order details")
	ben.Press("Follow")
	ben.Sees("You follow Harbour at dawn")
	ben.SeesNoButton("Follow")
	phoneToo(t, ben, "the details")
	ben.Press("Close")
	ben.SeesNoDialog()
	require.NoError(t, s.Photos.Deliver(order.ID))
	ben.Press("Darkroom APP, 1 new for you")
	ben.Press("Messages")
	news := browser.Where{Item: "Ready for review: Harbour at dawn"}
	ben.Sees("2 edited photos to review.", news)
	phoneToo(t, ben, "the news")
	ben.Press("Unfollow", news)
	ben.Sees("You no longer follow Harbour at dawn")
}

// The account of whoever asked is switched off: a colleague takes the order over, and it is called theirs.
func TestAnOrderIsTakenOverOnThePage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	order := s.place(s.person("maria"), "Left behind")
	s.leaves("maria")
	require.NoError(t, s.Photos.Deliver(order.ID))
	ben := s.sits("ben", "shoots")
	offer := browser.Where{Item: "Maria has left this workspace"}
	ben.SeesPictures(2, offer)
	phoneToo(t, ben, "the offer")
	ben.Press("Take Over", offer)
	ben.Sees("2 edited photos · @Ben")
	ben.SeesNoButton("Take Over")
	ben.Sees("for Ben", browser.Where{Item: "Brighten the sky."}) // the card
	ben.PressOn("Left behind", "Reply in thread")
	ben.Sees("Taken over by Ben", thread)
	phoneToo(t, ben, "the thread")
	ben.Press("Close the thread")
	types(ben, "shoots", "/order show "+order.ID)
	ben.Sees("Taken over by @Ben")
}
