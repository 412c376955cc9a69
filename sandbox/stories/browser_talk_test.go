package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

func TestTheEditorAtTheDeskAndTheTeamTalk(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	s.orders(maria, "shoots", "Chatty", 0)
	desk := browser.Where{Region: "Behind the scenes"}

	maria.PressOn("Chatty", "More actions for…")
	maria.Press("Message the editor")
	maria.SeesDialog("Message the editor")
	maria.Fill("Message", "Is the horizon straight?")
	maria.Press("Send")
	maria.Sees("Sent to the editor")
	maria.Press("Close")
	maria.SeesNoDialog()
	require.Equal(t, []string{"Is the horizon straight?"}, s.said())

	maria.Press("Editor's desk")
	maria.Sees("Is the horizon straight?", desk)
	maria.Press("Write to the client")
	maria.Fill("To the client", "It is now.")
	maria.Press("Say")
	maria.SeesNoButton("Say")
	maria.Press("Close the panel")

	maria.PressOn("Chatty", "Reply in thread")
	maria.Fill("Reply…", "@darkroom thank you")
	maria.Keys("\r")
	maria.Sees("Editor wrote", thread)
	maria.Sees("It is now.", thread)
	maria.Sees("✅ 1", browser.Where{Item: "@Darkroom thank you"})
	require.Equal(t, 1, s.countInThread("Chatty", "Editor wrote"))
	maria.Press("Close the thread")

	maria.Press("Editor's desk")
	maria.Press("Deliver")
	maria.Sees("With the client")
	maria.SeesPictures(2, desk)
	maria.Press("Close the panel")
	maria.Sees("Ready for review")
	maria.SeesPictures(1, browser.Where{Item: "Ready for review"})
}

func TestAPrivateChannelsOrderIsNobodyElsesOnThePage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	s.Workspace.Invite("#studio", "darkroom")
	maria := s.sits("maria", "studio")
	order := s.orders(maria, "studio", "Secret", 0)

	maria.Press("You are Maria")
	maria.Press("Olga Admin")
	maria.SeesField("Message #shoots")
	maria.Sees("You are Olga")
	for _, line := range []string{"/order show " + order.ID, "/order list"} {
		types(maria, "shoots", line)
		maria.Sees("Only visible to you")
	}
	maria.Sees("There is no order “" + order.ID)
	maria.Sees("No orders yet") // the list has answered as well
	require.NotContains(t, maria.Screen(), "Secret")
	maria.SeesNoButton("studio, private")

	maria.Press("You are Olga Admin")
	maria.Press("Ben")
	maria.Sees("You are Ben")
	maria.Press("studio, private, unread")
	maria.SeesField("Message #studio")
	maria.Sees("Secret")
	maria.SeesButton("Show Details")
}

func TestWhatIsNewIsMarkedUntilItIsRead(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria, ben := s.sits("maria", "shoots"), s.sits("ben", "weddings")
	maria.Fill("Message #shoots", "half a sent")
	types(ben, "weddings", "The cake has arrived, @maria")
	types(ben, "weddings", "It has three tiers.")
	types(ben, "weddings", "No rush.") // nobody waits for one to arrive before the next
	ben.SeesValue("Message #weddings", "")
	maria.SeesButton("weddings, 3 new for you")
	maria.SeesValue("Message #shoots", "half a sent")
	maria.Press("weddings, 3 new for you")
	maria.Sees("No rush.")
	require.Regexp(t, `The cake has arrived, @Maria.*It has three tiers\..*No rush\.`, maria.Screen())
	maria.SeesButton("weddings")
	maria.Press("shoots")
	maria.SeesValue("Message #shoots", "half a sent")
	maria.SeesButton("weddings")
}
