package talk

import (
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// Ids and titles as Slack has them.
const (
	ActionCorrect = "relay:correct" // carries the name of the relay's note
	ActionAttach  = "relay:attach"  // offers a relayed message's photos as references; carries the note's name
)

// Answers to a message from which nothing was sent.
var (
	// RelayHint answers a mention of the app that is in no order's thread.
	RelayHint = answer("Mention me in the thread of an order's card, and I send your message to its editor. This is no order's thread, so nothing was sent.",
		"To write to an editor from here: `/order message ID text…`, or *Send to editor* in the message's menu.")
	// RelayFormer answers who writes in a thread whose order its channel no longer has, or has
	// under another card. It does not tell where the order is.
	RelayFormer = answer("This thread no longer belongs to its order, so nothing was sent to an editor. Your message stays here.",
		"To write to an editor: mention me in the thread of the order's present card, or use `/order message ID text…`.")
	// RelayUnsure answers who writes in a thread of ours of which nobody knows whose it is.
	RelayUnsure = answer("I could not find out which order this thread belongs to, so nothing was sent to an editor. Your message stays here.",
		"To send it: *Send to editor* in the message's menu, where you can choose the order, or `/order message ID text…`.")
	// RelayPrivate answers a mention in a message that was marked as private.
	RelayPrivate = answer("Your message begins with `//`, so I kept it among you: nothing was sent to the editor.", "")
	// CorrectionOld says that what was kept for a correction is no longer there.
	CorrectionOld = answer("I no longer keep what this button was for. Nothing was sent: write to the editor with *Message the editor* on the order's card.", "")
	// OfferOld says that the images of an offer are no longer kept.
	OfferOld = answer("I no longer keep the images that this button was for. Nothing was sent: use *Add as reference* in the message's menu.", "")
)

// answer makes the message that says this, with a note.
func answer(text, note string) func() kit.Message {
	return func() kit.Message { return kit.NewPage(text).Note(note).Message() }
}

// RelayGuest answers somebody who may only look; the words are where they were written.
func RelayGuest(t store.Tracked, why order.Denial) kit.Message {
	return kit.Say(cards.OnlySees(why) + cards.Expand("write to their editors: your message to the editor of {order} was not sent. It stays here: ask a full member of {channel} to use *Send to editor* in its menu.", t))
}

// RelayWordless answers a message that has nothing to send.
func RelayWordless(t store.Tracked) kit.Message {
	return kit.Say(cards.Expand(noWords+"Write what the editor should read, and mention me again.", t))
}

// noWords begins what is said of a message without words.
const noWords = "There are no words in your message, so nothing was sent to the editor of {order}. "

// RelayHad answers who sends a message that was sent before.
func RelayHad(t store.Tracked) kit.Message { return kit.Say(HadThis(t, order.VerbMessage)) }

// RelayOffer offers a message's pictures as reference images: an editor gets words only.
// note keeps them.
func RelayOffer(t store.Tracked, pictures int, wordless bool, note string) kit.Message {
	what := "Your words were sent to the editor of {order}, but not what is attached: "
	if wordless {
		what = noWords + "It has "
	}
	return kit.NewPage(cards.Expand(what, t) + kit.Count(pictures, "image", "images") + ". Shall the editor have " + kit.Plural(pictures, "it", "them") + " as reference?").
		Buttons(kit.Button("Add as reference", ActionAttach, note)).Message()
}

// RelayEdited tells the writer of a message that was sent and then edited, or deleted:
// then now is empty. note keeps what a correction begins with.
func RelayEdited(t store.Tracked, now string, deleted bool, note string) kit.Message {
	what := "edited"
	if deleted {
		what = "deleted"
	}
	return kit.NewPage("You "+what+" a message that the editor of *"+cards.Project(t)+"* has already. The service cannot take it back: the editor keeps what was sent.").
		Typed("It says now:", now).Buttons(kit.Button("Send a correction", ActionCorrect, note)).Message()
}
