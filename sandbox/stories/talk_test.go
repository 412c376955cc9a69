package stories

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

// said is what our side wrote to the editor.
func (w *world) said() []string {
	w.t.Helper()
	return saidOn(w.order())
}

// saidOn returns what people wrote to the editor of an order.
func saidOn(o photos.Order) (said []string) {
	for _, m := range o.Messages {
		if m.From == "client" {
			said = append(said, m.Content)
		}
	}
	return said
}

func TestTheTeamTalksToTheEditor(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Chatty")

	// By command, by button, by mention and from a message's menu.
	maria.Type("/order message " + order.ID + " Please keep the *shadows* & the <3.")
	maria.SeesInThread("Chatty", "Message sent by Maria")
	ben.PressOn("Chatty", "Message the Editor")
	ben.SeesModal("Message the editor")
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
}

func TestTheEditorsAnswerIsAskedFor(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Any news")
	maria.Type("/order message " + order.ID + " Which light did you use?")
	maria.SeesInThread("Any news", "I see the editor's answer only when I send the editor another message.")
	ben.OpenThread("Any news")
	ben.PressOn("Which light did you use?", "Ask for an Answer")
	ben.Sees("The editor has not written yet.")
	asked := time.Now()
	maria.SeesInThread("Any news", "Is there news on this? (@Ben")
	ben.SeesNoButtonOn("Which light did you use?", "Ask for an Answer")

	require.NoError(t, w.Photos.Say(order.ID, "Tungsten."))
	w.until("a second is over: the question names it, and the service refuses the same words twice", func() bool { return time.Since(asked) > time.Second })
	ben.PressOn("Is there news on this?", "Ask for an Answer")
	ben.Sees("has written: you can read it in the order's thread")
	maria.SeesInThread("Any news", "Editor wrote about Any news")
	maria.SeesInThread("Any news", "for @Ben")
	require.Len(t, w.said(), 3)

	maria.OpenThread("Any news")
	maria.Type("@darkroom thank you so much")
	maria.SeesReaction("thank you so much", "white_check_mark")
	w.deliver(maria, order.ID)
	maria.PressOn("Ready for review", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.Sees("I know of no answer")
}

func TestAChannelRelaysEveryReplyWhenItWantsTo(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.place(maria, "Open line")
	relaysReplies(maria)
	ben := w.person("ben")
	ben.OpenThread("Open line")
	ben.Type("their invoice is late again")
	ben.Sees("Sent to the editor")
	ben.Press("Take Back")
	ben.Sees("Taken back.")
	maria.OpenThread("Open line")
	maria.Type("// not this one")
	maria.Type("softer shadows, please")
	maria.SeesReaction("softer shadows, please", "white_check_mark")
	require.Equal(t, []string{"softer shadows, please"}, w.said())

	maria.EditMessage("softer shadows, please", "harder shadows, please")
	maria.Goto("@darkroom")
	maria.Sees("cannot take it back")
	maria.Press("Send a Correction")
	maria.SeesModal("Message the editor")
	maria.Submit()
	maria.Sees("Sent to the editor")
	require.Len(t, w.said(), 2)
	require.Contains(t, w.said()[1], "harder shadows, please")
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
			maria.SeesInThread("Said once", "Message sent by Maria")
			require.Equal(t, []string{"only once, please"}, w.said())
			require.Equal(t, 1, w.countInThread("Said once", "Message sent"))
		})
	}
}

func TestWhatWasSentCannotBeTakenBack(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben, ines := w.person("maria"), w.person("ben"), w.person("ines")
	order := w.place(maria, "Second thoughts")
	maria.OpenThread("Second thoughts")
	maria.Type("@darkroom as in https://example.com/mood please")
	maria.SeesReaction("as in", "white_check_mark")
	sent := maria.Card("as in")
	w.Workspace.Unfurl(sent.Channel, sent.TS) // a preview is no edit
	maria.EditMessage("as in", "@darkroom rather not as in https://example.com/mood")
	inDM(maria, func() {
		maria.Sees("You edited a message")
		maria.Press("Send a Correction")
		maria.SeesModal("Message the editor")
		maria.SeesValue("Message", "rather not as in https://example.com/mood")
		maria.Submit()
		maria.Sees("Sent to the editor")
		maria.CloseModal()
	})
	maria.OpenThread("Second thoughts")
	maria.DeleteMessage("rather not as in")
	inDM(maria, func() {
		maria.Sees("You deleted a message")
		maria.PressOn("You deleted a message", "Send a Correction")
		maria.SeesModal("Message the editor")
		maria.Fill("Message", "Please forget what I said.")
		maria.Submit()
		maria.Sees("Sent to the editor")
		maria.CloseModal()
	})
	// A correction that was sent by the form is the app's own message: it never echoes.
	require.Equal(t, []string{
		"as in https://example.com/mood please", "rather not as in https://example.com/mood", "Please forget what I said.",
	}, w.said())
	require.Equal(t, 2, strings.Count(answersTo(w, "maria"), "cannot take it back"), "a preview is no edit")

	// Where no order is, the order is chosen.
	ben.Type("The groom has *red* hair")
	ben.MessageShortcut("The groom", "Send to editor")
	ben.SeesModal("Message the editor")
	ben.SeesValue("Message", "The groom has *red* hair")
	ben.Choose("Type part of its name", "Second")
	ben.Submit()
	ben.Sees("Sent to the editor")
	ben.CloseModal()
	ben.Type("@darkroom hello?")
	ben.SeesEphemeral("Mention me with photos to order their editing, or in the thread of an order to write to its editor.")
	require.Equal(t, "The groom has *red* hair", w.said()[3])

	// Guests talk among themselves, and what is private stays so.
	ines.OpenThread("Second thoughts")
	ines.Type("@darkroom from a guest")
	ines.SeesDM("Guests may look at orders but not write to their editors")
	ines.SeesNoReaction("from a guest", "white_check_mark")
	ben.OpenThread("Second thoughts")
	ben.Type("// @darkroom is slow today")
	ben.Sees("I did not send it to the editor.")
	ben.MessageShortcut("from a guest", "Send to editor")
	ben.SeesReaction("from a guest", "white_check_mark")
	require.Equal(t, "from a guest", w.said()[4])

	// What the service refuses comes back with its words.
	w.Photos.Misbehave(photos.Message, photos.Refuses("the editor has left"), 1)
	ben.Type("@darkroom come back")
	ben.SeesReaction("come back", "warning")
	inDM(ben, func() {
		ben.Sees("the editor has left")
		ben.PressOn("the editor has left", "Message the Editor")
		ben.SeesModal("Message the editor")
		ben.SeesValue("Message", "come back")
		ben.Submit()
		ben.Sees("Sent to the editor")
		ben.CloseModal()
	})
	require.Len(t, w.said(), 6)
	require.Equal(t, order.ID, w.order().ID)
}

// answersTo is all that only this person was told.
func answersTo(w *world, name string) string {
	var all []string
	for _, m := range slices.Concat(w.Workspace.Ephemerals(name), w.Workspace.DMs(name)) {
		all = append(all, m.Text)
	}
	return strings.Join(all, "\n")
}
