package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

// said is what our side wrote to the editor.
func (w *world) said() []string {
	w.t.Helper()
	var said []string
	for _, m := range w.order().Messages {
		if m.From == "client" {
			said = append(said, m.Content)
		}
	}
	return said
}

func TestTheTeamTalksToTheEditor(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, w *world) {
		maria, ben := w.person("maria"), w.person("ben")
		order := w.place(maria, "Chatty")

		// By command, by button, by mention and from a message's menu.
		maria.Type("/order message " + order.ID + " Please keep the *shadows* & the <3.")
		maria.SeesInThread("Chatty", "Message sent by @Maria")
		ben.PressOn("Chatty", "Message editor")
		ben.SeesModal("Message editor")
		ben.Fill("Message", "The ring is gold.")
		ben.Submit()
		ben.SeesInThread("Chatty", "The ring is gold.")
		ben.CloseModal()
		maria.OpenThread("Chatty")
		maria.Type("@darkroom is the horizon straight?")
		maria.SeesReaction("is the horizon straight?", "white_check_mark")
		maria.Type("just between us: I like it")
		maria.Type("@Ben what do you think of #weddings?")
		maria.MessageShortcut("what do you think", "Send to editor")
		maria.SeesReaction("what do you think", "white_check_mark")
		require.Equal(t, []string{
			"Please keep the *shadows* & the <3.", "The ring is gold.", "is the horizon straight?",
			"@Ben what do you think of #weddings?",
		}, w.said())
		maria.DoesNotSee("Message sent by @Maria: Chatty\njust between us")

		require.NoError(t, w.Photos.Say(order.ID, "The horizon is straight now."))
		maria.Type("@darkroom thank you")
		maria.SeesInThread("Chatty", "Editor wrote")
		maria.SeesInThread("Chatty", "The horizon is straight now.")
		require.Equal(t, 1, w.countInThread("Chatty", "Editor wrote"))
		require.Len(t, w.said(), 5)
	})
}

func TestAChannelRelaysEveryReplyWhenItWantsTo(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, w *world) {
		maria := w.person("maria")
		w.place(maria, "Open line")
		maria.Type("/order settings")
		maria.SeesModal("Channel settings")
		maria.Choose("What reaches the editor", "Every reply in an order's thread")
		maria.Submit()
		maria.Sees("every reply in an order's thread goes to its editor")
		maria.CloseModal()
		maria.OpenThread("Open line")
		maria.Type("// not this one")
		maria.Type("softer shadows, please")
		maria.SeesReaction("softer shadows, please", "white_check_mark")
		require.Equal(t, []string{"softer shadows, please"}, w.said())

		maria.EditMessage("softer shadows, please", "harder shadows, please")
		maria.Sees("cannot take it back")
		maria.Press("Send a correction")
		maria.SeesModal("Message editor")
		maria.Submit()
		maria.Sees("Sent to the editor")
		require.Len(t, w.said(), 2)
		require.Contains(t, w.said()[1], "harder shadows, please")
	})
}

func TestAMessageThatIsTooLongIsRefusedWithItsCount(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.place(maria, "Long story")
	maria.PressOn("Long story", "Message editor")
	maria.SeesModal("Message editor")
	maria.Fill("Message", strings.Repeat("a", 3000))
	maria.Fill("Message (more)", strings.Repeat("b", 2500))
	maria.Submit()
	maria.SeesError("Message (more)", "5,501")
	require.Empty(t, w.said())
	maria.Fill("Message (more)", strings.Repeat("b", 1999))
	maria.Submit()
	maria.SeesInThread("Long story", "Message sent by @Maria")
	require.Len(t, w.said(), 1)
	require.Len(t, []rune(w.said()[0]), 5000)
}

func TestAMessageWhoseAnswerIsLostIsSaidOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]photos.Fault{
		"reset after commit": photos.ResetAfterCommit(),
		"500 after commit":   photos.Error500AfterCommit(),
		"reset before":       photos.ResetBeforeCommit(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			maria := w.person("maria")
			w.place(maria, "Said once")
			w.Photos.Misbehave(photos.Message, fault, 1)
			maria.OpenThread("Said once")
			maria.Type("@darkroom only once, please")
			maria.SeesReaction("only once, please", "white_check_mark")
			maria.SeesInThread("Said once", "Message sent by @Maria")
			require.Equal(t, []string{"only once, please"}, w.said())
			require.Equal(t, 1, w.countInThread("Said once", "Message sent"))
		})
	}
}
