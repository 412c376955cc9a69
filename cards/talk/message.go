// Package talk has the texts that go to an order's editor: messages, reference images, relayed replies and
// questions. It also has the answers about them.
package talk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// TitleMessage is the title of every window of messages to the editor.
const TitleMessage = "Message the editor"

const fieldOrder = "order"

// MessageForm is a submitted message form.
type MessageForm struct {
	Order   string
	Text    string
	Channel string // where the form was opened
}

// DecodeMessage reads a submitted form. The problems are by block id.
func DecodeMessage(view slack.View) (MessageForm, map[string]string) {
	f := MessageForm{
		Order: chosenOrder(view), Channel: kit.DecodeMeta(view.PrivateMetadata).Channel,
		Text: strings.TrimSpace(kit.TextOf(view, kit.FieldMessage)),
	}
	boxes := kit.AnswersOf(view, kit.FieldMessage)
	switch {
	case f.Order == "":
		return f, kit.Beside(view, fieldOrder, "Choose the order whose editor should read this.")
	case f.Text == "":
		return f, kit.Beside(view, kit.FieldMessage, "Write what the editor should read.")
	case utf8.RuneCountInString(f.Text) > order.MaxMessage:
		return f, map[string]string{boxes[len(boxes)-1].Block: TooLong(f.Text)}
	}
	return f, nil
}

// chosenOrder returns the order that the form is bound to, else the chosen one.
func chosenOrder(view slack.View) string {
	order, _, _ := cards.ParseValue(kit.AnswerOf(view, fieldOrder).SelectedOption.Value)
	return cmp.Or(kit.DecodeMeta(view.PrivateMetadata).Order, order)
}

// TooLong says that a message is too long.
func TooLong(text string) string {
	return fmt.Sprintf("This has %s characters; at most %s can be sent. Nothing was cut and nothing was sent: shorten it, or send it in parts.",
		kit.Thousands(utf8.RuneCountInString(text)), kit.Thousands(order.MaxMessage))
}

// MessageEditor returns the form for a message to the editor. channel is where it was opened.
func MessageEditor(t store.Tracked, words, channel, externalID string) slack.ModalViewRequest {
	return messageForm(kit.NewPage("To the editor of *"+cards.Project(t)+"*:"), t, words, channel, externalID)
}

// MessageAnyOrder is [MessageEditor] with a menu of orders.
func MessageAnyOrder(words, channel, externalID string) slack.ModalViewRequest {
	return addMessageBoxes(addOrderChoice(new(kit.Page), "message"), words).
		Form(TitleMessage, "Send", kit.CallbackMessage, externalID, kit.Meta{Channel: channel})
}

// Correction is [MessageEditor] for a sent message that was edited or deleted.
func Correction(t store.Tracked, words, channel, externalID string) slack.ModalViewRequest {
	return messageForm(kit.NewPage("The editor of *"+cards.Project(t)+"* has your message, and I cannot take it back. Say what counts instead:"), t, words, channel, externalID)
}

// Unsent says why something did not reach the editor.
type Unsent struct {
	Why      string       `json:"why,omitempty"`      // a safe sentence
	Problems kit.Problems `json:"problems,omitempty"` // the service's own words
	Unknown  bool         `json:"doubt,omitempty"`    // an earlier attempt was never answered

	NotOffered bool `json:"not_offered,omitempty"` // the service lacks the operation
}

// addUnsent adds the reason. what names what was not sent, as safe text.
func addUnsent(p *kit.Page, u Unsent, what string) *kit.Page {
	switch {
	case u.Why == "":
		p.Problems(what+" not sent. The photo service says:", u.Problems, "Everything you typed is saved. Fix it and send it again.")
	case len(u.Problems) == 0:
		p.Say(":warning: " + u.Why)
	default:
		p.Say(":warning: " + u.Why).Note("The photo service says: " + kit.InQuotes(u.Problems))
	}
	return p.Say(kit.OnlyIf(u.Unknown, "An earlier try was not answered, so the editor may have it already."))
}

// MessageRefused is [MessageEditor] with the reason that it was not sent.
func MessageRefused(t store.Tracked, words string, u Unsent, channel, externalID string) slack.ModalViewRequest {
	return messageForm(addUnsent(new(kit.Page), u, "Your message to the editor of *"+cards.Project(t)+"* was"), t, words, channel, externalID)
}

// messageForm completes every message form of one order.
func messageForm(p *kit.Page, t store.Tracked, words, channel, externalID string) slack.ModalViewRequest {
	addMessageBoxes(p, words).Note("Everybody in " + kit.ChannelLink(t.Owner.Channel) + " reads it too, in the order's thread.")
	meta := cards.MetaOf(t)
	meta.Channel = channel
	return p.Form(TitleMessage, "Send", kit.CallbackMessage, externalID, meta)
}

// addOrderChoice adds a menu of orders.
func addOrderChoice(p *kit.Page, verb string) *kit.Page {
	return p.Put(kit.Field(kit.BlockID(fieldOrder, 0, 0), "Order", "", cards.OrderSelect(verb)))
}

// addMessageBoxes adds at least two inputs, because one holds fewer characters than the service takes.
func addMessageBoxes(p *kit.Page, words string) *kit.Page {
	texts := kit.Parts(words, kit.MaxInput, kit.MaxTextBoxes)
	if len(texts) == 1 {
		texts = append(texts, "")
	}
	label, hint := "Message", "At most "+kit.Thousands(order.MaxMessage)+" characters in all."
	for i, text := range texts {
		p.Put(kit.Field(kit.BlockID(kit.FieldMessage, 0, i), label, hint, kit.Multiline(kit.FieldMessage, text, kit.MaxInput)).WithOptional(i > 0))
		label, hint = "Message (more)", "Continues the first box."
	}
	return p
}

// MessageDenied says in a safe sentence why nothing was sent, and shows the text to copy.
func MessageDenied(sentence, words, externalID string) slack.ModalViewRequest {
	return kit.NewWindow(":warning: "+sentence).Typed("Your text:", words).Modal(TitleMessage, externalID, kit.Meta{})
}

// MessageKept is [MessageRefused] for a message that came from no form. Its button opens the form with the
// text in note.
func MessageKept(t store.Tracked, words string, u Unsent, note string) kit.Message {
	return cards.AddMessageButton(addUnsent(new(kit.Page), u, "Your message to the editor of *"+cards.Project(t)+"* was").
		Typed("Your text:", words), t, note).Message()
}

// AlreadySent says that the editor has this message or these images already.
func AlreadySent(t store.Tracked, verb string) string {
	what := "this message already, word for word. Nothing was sent twice. Change the text"
	if verb == order.VerbReference {
		what = "these photos already. Nothing was sent twice. Give others"
	}
	return "The editor of *" + cards.Project(t) + "* has " + what + " if you mean something new."
}

// Windows of writing to the editor.
var (
	// MessageLater says that the message waits for the service.
	MessageLater = cards.WindowWith(TitleMessage, cards.NothingToDo, cards.NotNow+"is lost. I send your message to the editor of {order} when it is back, and only once.")
	// MessageSent confirms the message.
	MessageSent = cards.WindowOn(TitleMessage, "Everybody in {channel} can read it in the order's thread. "+cards.AnswerTiming+" To see the answer, press *"+cards.LabelAsk+"* under it.",
		":white_check_mark: Sent to the editor of {order}.")
)

// MessageSending shows that the message is in progress. The zero order is unknown.
func MessageSending(t store.Tracked, externalID string) slack.ModalViewRequest {
	return cards.WindowOn(TitleMessage, "You can close this window. The message appears"+cards.InTheThread,
		"Sending your message to the editor"+cards.ToOrder(" of", t)+"…")(t, externalID)
}

// AskText is the message to the editor. It differs by person and second, because the service takes no message
// twice.
func AskText(name string, now time.Time) string {
	return "Is there news on this? (" + kit.OneLine(name) + ", " + now.UTC().Format("2 Jan 15:04:05") + " UTC)"
}

// Asked reports whether the editor has written.
func Asked(t store.Tracked, wrote bool) kit.Message {
	if wrote {
		return kit.Say(cards.Expand("The editor of {order} has written: you can read it in the order's thread.", t))
	}
	return kit.NewPage(cards.Expand("I asked the editor of {order}. The editor has not written yet.", t)).Note(cards.AnswerTiming + " Ask again later, or write more.").Message()
}

// PauseQuestion is what people ask an editor whose order is paused. It differs by person and second, as [AskText].
func PauseQuestion(name string, now time.Time) string {
	return "This order is paused. What do you need from us? (" + kit.OneLine(name) + ", " + now.UTC().Format("2 Jan 15:04:05") + " UTC)"
}

// AskAboutPause is [MessageEditor] for a paused order. said are the editor's messages since the pause.
func AskAboutPause(t store.Tracked, said []order.Event, words, channel, externalID string) slack.ModalViewRequest {
	p := kit.NewPage("The photo service has paused *" + cards.Project(t) + "*. Ask what the editor needs: the question shows in this window once you send.")
	return messageForm(addEditorWrote(p, said), t, words, channel, externalID)
}

// MessageAnswered confirms a message, shows what the editor wrote, and takes the next message.
func MessageAnswered(t store.Tracked, said []order.Event, channel, externalID string) slack.ModalViewRequest {
	return messageForm(answered(t, said), t, "", channel, externalID)
}

// MessageAnsweredNote is [MessageAnswered] without a window.
func MessageAnsweredNote(t store.Tracked, said []order.Event) kit.Message {
	return answered(t, said).Message()
}

func answered(t store.Tracked, said []order.Event) *kit.Page {
	return addEditorWrote(kit.NewPage(cards.Expand(":white_check_mark: Sent to the editor of {order}.", t)), said)
}

// addEditorWrote quotes an editor's messages.
func addEditorWrote(p *kit.Page, said []order.Event) *kit.Page {
	if len(said) == 0 {
		return p
	}
	var words []string
	for _, e := range said {
		words = append(words, e.Words...)
	}
	return p.Say("*The editor wrote:*").Quote(strings.Join(words, "\n"), kit.MaxQuote)
}

// SaidSincePause returns what the editor wrote since the order's last pause. events are oldest first.
func SaidSincePause(events []order.Event) (said []order.Event) {
	for _, e := range events {
		switch e.Kind {
		case order.EventPaused:
			said = nil
		case order.EventEditor:
			said = append(said, e)
		}
	}
	return said
}

// AnswersWith returns what the editor wrote before the message of that job, and after the one before it. The service
// shows it only in its answer to that message.
func AnswersWith(job string, events []order.Event) []order.Event {
	at := slices.IndexFunc(events, func(e order.Event) bool { return e.Kind == order.EventMessage && e.Job == job })
	if at < 0 {
		return nil
	}
	var said []order.Event
	for _, e := range events[:at] {
		switch e.Kind {
		case order.EventMessage:
			said = nil
		case order.EventEditor:
			said = append(said, e)
		}
	}
	for _, e := range events[at+1:] {
		if e.Kind == order.EventEditor {
			said = append(said, e)
		}
	}
	return said
}

// AskUnsent says why the editor was not asked.
func AskUnsent(t store.Tracked, u Unsent) kit.Message {
	return addUnsent(new(kit.Page), u, cards.Expand("Your question to the editor of {order} was", t)).Message()
}

// WhyNotAsk says why a message needs no follow-up question, or returns "". Later events decide.
func WhyNotAsk(t store.Tracked, event string, events []order.Event) string {
	at := slices.IndexFunc(events, func(e order.Event) bool { return e.ID == event })
	if at < 0 {
		return ""
	}
	for _, later := range events[at+1:] {
		switch later.Kind {
		case order.EventEditor:
			return cards.Expand("The editor of {order} has written since: you can read it in the order's thread. Nothing was sent.", t)
		case order.EventMessage:
			return cards.Expand("Nothing was sent: "+kit.Either(later.Actor == "", "somebody", kit.Mention(later.Actor))+" wrote to the editor of {order} later. Ask under the newest message.", t)
		}
	}
	return ""
}

// WroteAfter reports whether the editor wrote after that event.
func WroteAfter(event string, events []order.Event) bool {
	at := slices.IndexFunc(events, func(e order.Event) bool { return e.ID == event })
	return slices.ContainsFunc(events[at+1:], func(e order.Event) bool { return e.Kind == order.EventEditor })
}
