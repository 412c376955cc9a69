package talk

import (
	"strconv"
	"strings"
	"time"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// Slack ids and titles.
const (
	ActionCorrect = "relay:correct" // carries the name of the saved message
	ActionAttach  = "relay:attach"  // offers a relayed message's photos as references; carries the name of the saved message
	// ActionTakeBack takes back an overheard reply. It carries the message's channel and timestamp.
	ActionTakeBack = "relay:takeback"
)

// Answers to messages that were not sent.
var (
	// RelayFormer answers a message in the thread of a card that is no longer current. It does not say where
	// the order is.
	RelayFormer = answer("This thread no longer belongs to its order, so nothing was sent to an editor. Your message stays in the thread.",
		"To write to an editor: mention me in the thread of the order's present card, or use `/order message ID text…`.")
	// RelayUnsure answers a message in a thread whose order is unknown.
	RelayUnsure = answer("I could not find out which order this thread belongs to, so nothing was sent to an editor. Your message stays in the thread.",
		"To send it: *Send to editor* in the message's menu, where you can choose the order, or `/order message ID text…`.")
	// RelayPrivate answers a mention in a message that is marked as private.
	RelayPrivate = answer("Your message starts with `//`. I did not send it to the editor.", "")
	// CorrectionOld says that the data for a correction has expired.
	CorrectionOld = answer("This button has expired. Nothing was sent. To write to the editor: *Message the Editor* on the order's card.", "")
	// OfferOld says that the offered images have expired.
	OfferOld = answer("This button has expired. Nothing was sent. To send the photos: *Add as reference* in the message's menu.", "")
)

// TakeBackTime is how long a person's first overheard reply waits before it is sent.
const TakeBackTime = 20 * time.Second

// RelayOverheard tells a person that their reply goes to the editor, in a channel that sends all. channel and ts locate
// the reply.
func RelayOverheard(t store.Tracked, channel, ts string) kit.Message {
	return kit.NewPage(cards.Expand("*Sent to the editor* of {order} in "+strconv.Itoa(int(TakeBackTime.Seconds()))+" seconds, like every reply in this thread.", t)).
		Buttons(kit.Button("Take Back", ActionTakeBack, channel+" "+ts)).
		Note("To keep a reply in this channel, start it with `//`. I say this once in each channel.").Message()
}

// ParseTakeBack reads the value of [ActionTakeBack].
func ParseTakeBack(value string) (channel, ts string, ok bool) { return strings.Cut(value, " ") }

// TakenBack confirms that a reply was taken back.
func TakenBack() kit.Message {
	return kit.Say(":white_check_mark: Taken back. Your reply stays in this channel, and nothing was sent to the editor.")
}

// TooLateToTakeBack says that a reply is sent. note names the saved correction; "": it has expired.
func TooLateToTakeBack(note string) kit.Message {
	if note == "" {
		return CorrectionOld()
	}
	return kit.NewPage("It is too late to take your reply back: it went to the editor. You can send a correction.").
		Buttons(kit.Button("Send a Correction", ActionCorrect, note)).Message()
}

// answer returns a function that returns text with a note.
func answer(text, note string) func() kit.Message {
	return func() kit.Message { return kit.NewPage(text).Note(note).Message() }
}

// RelayGuest answers a read-only person.
func RelayGuest(t store.Tracked, why order.Denial) kit.Message {
	return kit.Say(cards.OnlySees(why) + cards.Expand("write to their editors: your message to the editor of {order} was not sent. Ask a full member of {channel} to choose *Send to editor* in its menu.", t))
}

// RelayWordless answers a message without text.
func RelayWordless(t store.Tracked) kit.Message {
	return kit.Say(cards.Expand(noWords+"Write what the editor should read, and mention me again.", t))
}

// noWords begins the answers to a message without text.
const noWords = "There are no words in your message, so nothing was sent to the editor of {order}. "

// RelayAlreadySent answers a message that was sent before.
func RelayAlreadySent(t store.Tracked) kit.Message { return kit.Say(AlreadySent(t, order.VerbMessage)) }

// RelayOffer offers a message's images as references, because messages to an editor have only text. note names
// the saved images.
func RelayOffer(t store.Tracked, pictures int, wordless bool, note string) kit.Message {
	what := kit.Either(wordless, noWords+"It has ", "Your text was sent to the editor of {order}, without what is attached: ")
	return kit.NewPage(cards.Expand(what, t) + kit.Count(pictures, "photo", "photos") + ". Shall the editor have " + kit.Plural(pictures, "it", "them") + " as reference?").
		Buttons(kit.Button("Add Reference Images", ActionAttach, note)).Message()
}

// RelayEdited tells a message's author that their edit or deletion did not reach the editor. note names the
// saved correction.
func RelayEdited(t store.Tracked, now string, deleted bool, note string) kit.Message {
	what := kit.Either(deleted, "deleted", "edited")
	return kit.NewPage("You "+what+" a message that the editor of *"+cards.Project(t)+"* has already. I cannot take it back.").
		Typed("It says now:", now).Buttons(kit.Button("Send a Correction", ActionCorrect, note)).Message()
}
