package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// What happens between placing and approving: a pause that asks somebody, and an answer that comes only when
// it is asked for.
func TestAPauseAndAnAnswerOnThePage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	order := s.orders(maria, "shoots", "Held up", 0)
	require.NoError(t, s.Photos.Pause(order.ID))
	paused := browser.Where{Item: "the photo service has paused this order"}
	maria.Sees("@Maria the photo service has paused this order", paused)
	maria.Press("Ask for an Answer", paused)
	maria.SeesDialog("Message the editor")
	maria.Fill("Message", "What is the matter?")
	maria.Press("Send")
	maria.Sees("Sent to the editor")
	maria.Press("Close")
	maria.SeesNoDialog()
	require.NoError(t, s.Photos.Resume(order.ID))
	maria.DoesNotSee("the photo service has paused this order", browser.Where{Region: "Messages in #shoots"}) // what was read out stays read out
	maria.Sees("Being edited · expected")

	maria.PressOn("Brighten the sky.", "Reply in thread") // words of the card alone: the broadcast quotes its first line
	maria.Sees("Work goes on: Held up", thread)
	asked := browser.Where{Item: "What is the matter?"}
	maria.Press("Ask for an Answer", asked)
	maria.Sees("The editor has not written yet.", thread)
	maria.SeesNoButton("Ask for an Answer", asked)
	require.NoError(t, s.Photos.Say(order.ID, "A power cut."))
	ben := s.person("ben")
	ben.OpenThread("Held up")
	ben.PressOn("Is there news on this?", "Ask for an Answer")
	maria.Sees("Editor wrote about Held up", thread)
	maria.Sees("for @Maria", thread) // whose question it answers
	maria.Sees("A power cut.", thread)
}

// While the service is away the card says what waits; whoever closed the window gets the outcome by direct
// message, which links to the card and is still there after a reload.
func TestWhatWaitsForTheServiceEndsInADirectMessage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	order := s.orders(maria, "shoots", "On its way", 0)
	require.NoError(t, s.Photos.Deliver(order.ID))
	maria.Sees("Ready for review: ")
	s.Photos.Down()
	maria.PressOn("Ready for review: ", "Approve")
	maria.Sees("This closes the order.")
	maria.Press("Approve")
	maria.SeesNoDialog()
	maria.Sees("⏳ Approval by Maria is waiting for the photo service")
	maria.SeesNoButton("Approve")
	require.NoError(t, s.Photos.Up())
	maria.DoesNotSee("waiting for the photo service")
	maria.Sees("✅ Approved by Maria")

	maria.Press("Darkroom APP, 1 new for you")
	maria.Press("Messages")
	maria.Sees("Nothing was sent yet")
	maria.Reload()
	maria.Sees("Nothing was sent yet")
	maria.Press("Open order card")
	maria.SeesField("Message #shoots")
}
