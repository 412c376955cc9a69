package cards

import (
	"darkroom/store"

	"github.com/slack-go/slack"
)

// The windows that follow a submitted form: what was asked for is on its way, waits for the
// service, was done, was denied, or nobody knows.

// Notes of such windows.
const (
	onItsWay    = "You can close this window. The result appears on the order's card, and if anything goes wrong you are told."
	inTheThread = " in the order's thread, and if anything goes wrong you are told."
	nothingToDo = "There is nothing for you to do. If anything goes wrong you are told."
)

// notNow begins what waits for the service.
const notNow = "The photo service does not answer just now. Nothing "

// windowOn makes the window that shows these paragraphs and this note about an order, as [expand]
// completes them.
func windowOn(title, note string, paragraphs ...string) func(t store.Tracked, externalID string) slack.ModalViewRequest {
	show := windowWith(title, note, paragraphs...)
	return func(t store.Tracked, externalID string) slack.ModalViewRequest { return show(t, "", externalID) }
}

// windowWith is windowOn with what the person had typed, so that it can be copied.
func windowWith(title, note string, paragraphs ...string) func(t store.Tracked, words, externalID string) slack.ModalViewRequest {
	return func(t store.Tracked, words, externalID string) slack.ModalViewRequest {
		p := &builder{wide: true}
		for _, paragraph := range paragraphs {
			p.say(expand(paragraph, t))
		}
		return p.kept("Your words:", words).note(expand(note, t)).modal(title, externalID, metaOf(t))
	}
}

// deniedWith makes the window that says in a sentence of ours, safe as it is, why nothing was done.
func deniedWith(title string) func(t store.Tracked, words, sentence, externalID string) slack.ModalViewRequest {
	return func(t store.Tracked, words, sentence, externalID string) slack.ModalViewRequest {
		return alerting(sentence).kept("Your words:", words).modal(title, externalID, metaOf(t))
	}
}

// Windows of approving.
var (
	// Approving shows that the approval is on its way.
	Approving = windowOn(TitleApprove, onItsWay, "Approving {order} …")
	// ApproveLater says that the service does not answer and nothing was sent yet.
	ApproveLater = windowOn(TitleApprove, onItsWay, notNow+"was sent yet: I approve {order} as soon as the service is back, unless newer images are there by then.")
	// Approved is the good end.
	Approved = windowOn(TitleApprove, "", ":white_check_mark: Approved: {order}", "The order is closed. Everybody in {channel} can see it.")
	// ApproveDenied says why nothing was approved; the feedback is shown to be copied.
	ApproveDenied = deniedWith(TitleApprove)
	// ApproveUnsettled says that nobody knows whether the approval arrived.
	ApproveUnsettled = windowWith(TitleApprove, "", "I cannot tell yet whether {order} was approved: the service did not answer clearly.",
		"Its card shows the truth as soon as the service tells it. If it still says _Ready for review_ in a few minutes, approve it again: that is safe.")
)

// Windows of canceling.
var (
	// Canceling shows that the cancellation is on its way.
	Canceling = windowOn(TitleCancel, onItsWay, "Canceling {order} …")
	// CancelLater says that the service does not answer and nothing was sent yet.
	CancelLater = windowOn(TitleCancel, onItsWay, notNow+"was sent yet: I cancel {order} as soon as the service is back, if it still can be canceled then.")
	// Canceled is the good end.
	Canceled = windowOn(TitleCancel, "", ":white_check_mark: Canceled: {order}", "Everybody in {channel} can see it. Your credits: `/order balance`")
	// CancelDenied says why nothing was canceled; the reason is shown to be copied.
	CancelDenied = deniedWith(TitleCancel)
	// CancelUnsettled says that nobody knows whether the cancellation arrived.
	CancelUnsettled = windowWith(TitleCancel, "", "I cannot tell yet whether {order} was canceled: the service did not answer clearly.",
		"Its card shows the truth as soon as the service tells it. If it does not say _Canceled_ in a few minutes, cancel it again: that is safe.")
)

// Windows of requesting changes; those that show what was typed are in revise_told.go.
var (
	// Revising shows that the changes are on their way.
	Revising = windowOn(TitleRevise, onItsWay, "Requesting changes to {order} …")
	// ReviseLater says that the service does not answer and nothing was sent yet.
	ReviseLater = windowOn(TitleRevise, onItsWay, notNow+"was sent yet: I request your changes to {order} as soon as the service is back, unless newer images are there by then.")
)

// Windows of writing to the editor.
var (
	// MessageLater says that the service does not answer: the message is sent, or sent again, when
	// it does.
	MessageLater = windowWith(TitleMessage, nothingToDo, notNow+"is lost: I send your message to the editor of {order} as soon as the service is back, and it arrives once.")
	// MessageSent is the good end.
	MessageSent = windowOn(TitleMessage, "Everybody in {channel} can read it in the order's thread. "+heardWhenSent+" To see the answer, press *"+labelAsk+"* below it.",
		":white_check_mark: Sent to the editor of {order}.")
)

// MessageSending shows that the message is on its way; without an order it names none.
func MessageSending(t store.Tracked, externalID string) slack.ModalViewRequest {
	return windowOn(TitleMessage, "You can close this window. The message appears"+inTheThread,
		"Sending your message to the editor"+toOrder(" of", t)+"…")(t, externalID)
}

// ReferencesSending shows that the images are on their way; without an order it names none.
func ReferencesSending(t store.Tracked, externalID string) slack.ModalViewRequest {
	return windowOn(TitleReference, "You can close this window. They appear"+inTheThread,
		"Adding your reference images"+toOrder(" to", t)+"…")(t, externalID)
}

// toOrder is " of {order} ", nothing without an order.
func toOrder(word string, t store.Tracked) string {
	return onlyIf(t.ID != "", word+" {order} ")
}

// Moved is the good end, for the person who moved the order.
var Moved = windowOn(TitleMove, "The card it had before stays where it was and does not say where the order went.",
	":white_check_mark: Moved: {order} is in {channel} now.")

// Moving shows that the order is being handed over.
func Moving(externalID string) slack.ModalViewRequest {
	return says("Moving the order…").note("You can close this window: you are told what came of it.").modal(TitleMove, externalID, Meta{})
}

// MoveLater says that the order is moved after what was asked for before.
func MoveLater(externalID string) slack.ModalViewRequest {
	return says("Somebody asked for something on this order before, and that waits for the photo service, which does not answer just now. The order moves right after it.").
		note("There is nothing for you to do: you are told what came of it.").modal(TitleMove, externalID, Meta{})
}
