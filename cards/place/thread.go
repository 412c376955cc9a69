package place

import (
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// CallbackThread is the callback id of the form that asks for a thread's photos.
const CallbackThread = "thread"

// ThreadChoice says which photos of a thread are ordered.
type ThreadChoice string

// The choices.
const (
	ThreadOwn  ThreadChoice = "own"  // those of the chosen message
	ThreadAll  ThreadChoice = "all"  // all, in one order
	ThreadEach ThreadChoice = "each" // one order for each message
)

const fieldThread = "thread"

// ThreadBatch names the batch of orders of a thread.
const ThreadBatch = "Thread of photos"

// Texts about a thread of photos.
const (
	ThreadGone   = "This window has expired. Choose “Order these photos” on the message again."
	ThreadUnread = "I cannot read the other photos of this thread. Invite me to this conversation and choose “Order these photos” again."
	ThreadScope  = "I may not read the other photos of this thread. A Darkroom admin can allow that."
	ThreadDirect = "I order other photos of a thread only in channels."
	ThreadLate   = "Slack did not show the other photos of this thread in time. Choose “Order these photos” again."
)

// ThreadMore says that a thread was read only in part.
func ThreadMore(most int) string {
	return "I read only the first " + kit.Count(most, "message", "messages") + " of the thread."
}

// ThreadFull says how many photos do not fit one order.
func ThreadFull(photos int) string {
	return kit.Count(photos-order.MaxImages, "more photo", "more photos") + ": one order holds at most " + kit.Count(order.MaxImages, "photo", "photos") + "."
}

// ThreadHuge says that a thread has too many messages for one batch.
func ThreadHuge(orders int) string {
	return "This thread is " + kit.Count(orders, "order", "orders") + "; at most " + strconv.Itoa(order.MaxBatchOrders) + " are placed together."
}

// ThreadPhotos asks which photos of a thread to order, before the order form.
func ThreadPhotos(d store.Draft, a FormExtras, externalID string) slack.ModalViewRequest {
	t := a.Thread
	photos, messages := len(t.Photos()), len(t.Messages)
	p := kit.NewWindow("This thread has *" + kit.Count(photos, "photo", "photos") + " in " + kit.Count(messages, "message", "messages") + "*. Nothing is sent yet.")
	p.Bullets(":warning: These files were not added:", kit.InlineAll(t.Skipped, 1000))
	all := kit.Count(photos, "photo", "photos") + " of " + kit.Count(messages, "message", "messages") +
		kit.OnlyIf(photos > order.MaxImages, "; one order holds the first "+kit.Count(order.MaxImages, "photo", "photos"))
	p.Radio(fieldThread, "Which photos", "", string(ThreadOwn),
		threadOption(ThreadOwn, "This message's photos", kit.Count(len(d.Files), "photo", "photos")+"."),
		threadOption(ThreadAll, "All photos of the thread in one order", all+"."),
		threadOption(ThreadEach, "One order for each message", kit.Count(messages, "message", "messages")+", each named by its first words."))
	if n := t.Wordless(); n > 0 {
		label := "Instructions for " + kit.Count(n, "message", "messages") + " without text"
		words := kit.Cut(strings.Join(t.Words, "\n"), kit.MaxInput)
		p.Put(kit.Field(kit.BlockID(fieldInstructions, 0, 0), label, "One per line, only if each message is one order.", kit.Multiline(fieldInstructions, words, kit.MaxInput)).WithOptional(true))
	}
	return p.Form(Title, "Next", CallbackThread, externalID, formMeta(d, a))
}

func threadOption(choice ThreadChoice, label, description string) *slack.OptionBlockObject {
	return kit.Option(string(choice), label, kit.Clip(description, kit.MaxOptionText))
}

// DecodeThread reads the choice, and the instructions for messages without text. The default is the message's
// own photos.
func DecodeThread(view slack.View) (choice ThreadChoice, instructions []string) {
	choice = ThreadChoice(kit.AnswerOf(view, fieldThread).SelectedOption.Value)
	if choice != ThreadAll && choice != ThreadEach {
		choice = ThreadOwn
	}
	return choice, order.Lines(kit.TextOf(view, fieldInstructions))
}

// ThreadWordless returns a form error at the instructions for messages without text.
func ThreadWordless(view slack.View) map[string]string {
	return Wrong{fieldInstructions: "Say what the editor should do with photos of messages without text."}.Beside(view)
}
