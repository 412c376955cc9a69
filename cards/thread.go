package cards

import (
	"strconv"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/order"
	"darkroom/store"
)

// ThreadChoice is which photos of a thread are ordered.
type ThreadChoice string

// The choices.
const (
	ThreadOwn  ThreadChoice = "own"  // those of the message that was chosen
	ThreadAll  ThreadChoice = "all"  // all of them, in one order
	ThreadEach ThreadChoice = "each" // one order for each message
)

const fieldThread = "thread"

// ThreadBatch is what the orders of a thread's messages are called together.
const ThreadBatch = "Thread of photos"

// What is said about a thread of photos.
const (
	ThreadGone   = "I no longer have what I read of this thread. Nothing was sent: choose “Order these photos” on the message again."
	ThreadUnread = "Other photos of this thread: I cannot read this conversation. Invite me to it and choose “Order these photos” again to order them together."
	ThreadScope  = "Other photos of this thread: I may not read this kind of conversation. Whoever installed me can allow that."
	ThreadDirect = "Other photos of this thread: I order whole threads only in channels."
	ThreadLate   = "Other photos of this thread: Slack did not show them in time. Choose “Order these photos” again to try once more."
)

// ThreadMore says that a thread was not read to its end.
func ThreadMore(most int) string {
	return "What comes after the first " + count(most, "message", "messages") + " of the thread: I read no further."
}

// ThreadFull says how many photos one order does not hold.
func ThreadFull(photos int) string {
	return count(photos-order.MaxImages, "more photo", "more photos") + ": one order holds at most " + count(order.MaxImages, "image", "images") + "."
}

// ThreadHuge says that a thread is more orders than are placed together.
func ThreadHuge(orders int) string {
	return "This thread is " + count(orders, "order", "orders") + "; at most " + strconv.Itoa(order.MaxBatchOrders) + " are placed together."
}

// ThreadPhotos asks which photos of a thread are ordered, before the form of the draft is shown.
func ThreadPhotos(d store.Draft, a Around, externalID string) slack.ModalViewRequest {
	t := a.Thread
	photos, messages := len(t.Photos()), len(t.Messages)
	p := window("This thread has *" + count(photos, "photo", "photos") + " in " + count(messages, "message", "messages") + "*. Nothing is sent before you have seen it.")
	p.bullets(":warning: Not everything could be taken along:", inlined(t.Left, 1000))
	all := count(photos, "photo", "photos") + " of " + count(messages, "message", "messages") +
		onlyIf(photos > order.MaxImages, "; one order holds the first "+count(order.MaxImages, "photo", "photos"))
	p.radio(fieldThread, "Which photos", "", string(ThreadOwn),
		threadOption(ThreadOwn, "This message's photos", count(len(d.Files), "photo", "photos")+"."),
		threadOption(ThreadAll, "All photos of the thread in one order", all+"."),
		threadOption(ThreadEach, "One order for each message", count(messages, "message", "messages")+", each named by its first words."))
	if n := t.Wordless(); n > 0 {
		label := "Instructions for " + count(n, "message", "messages") + " without words"
		words := cut(strings.Join(t.Words, "\n"), maxInput)
		p.put(ask(blockID(fieldInstructions, 0, 0), label, "One per line. Only for one order for each message.", multiline(fieldInstructions, words, maxInput)).WithOptional(true))
	}
	return p.form(TitleNew, "Next", CallbackThread, externalID, formMeta(d, a))
}

func threadOption(choice ThreadChoice, label, description string) *slack.OptionBlockObject {
	return slack.NewOptionBlockObject(string(choice), plainText(label), plainText(clip(description, maxOptionText)))
}

// DecodeThread reads what was chosen, and the instructions for messages without words. Who chose nothing
// orders the photos of their message.
func DecodeThread(view slack.View) (choice ThreadChoice, instructions []string) {
	choice = ThreadChoice(fieldOf(view, fieldThread).SelectedOption.Value)
	if choice != ThreadAll && choice != ThreadEach {
		choice = ThreadOwn
	}
	return choice, order.Lines(textOf(view, fieldInstructions))
}

// ThreadWordless is the problem beside the instructions of messages that have none.
func ThreadWordless(view slack.View) map[string]string {
	return Wrong{fieldInstructions: "Say what should be done with the photos of messages that have no words of their own."}.Beside(view)
}
