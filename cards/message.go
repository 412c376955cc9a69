package cards

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const (
	fieldMessage = "message"
	fieldOrder   = "order"
)

// MessageForm is the message form as somebody filled it in.
type MessageForm struct {
	Order   string
	Text    string
	Channel string // where the form was opened
}

// DecodeMessage reads a submitted form. The problems are by block id.
func DecodeMessage(view slack.View) (MessageForm, map[string]string) {
	l := MessageForm{
		Order: chosenOrder(view), Channel: DecodeMeta(view.PrivateMetadata).Channel,
		Text: strings.TrimSpace(textOf(view, fieldMessage)),
	}
	boxes := heldBy(view, fieldMessage)
	switch {
	case l.Order == "":
		return l, beside(view, fieldOrder, "Choose the order whose editor should read this.")
	case l.Text == "":
		return l, beside(view, fieldMessage, "Write what the editor should read.")
	case utf8.RuneCountInString(l.Text) > order.MaxMessage:
		return l, map[string]string{boxes[len(boxes)-1].block: TooLong(l.Text)}
	}
	return l, nil
}

// chosenOrder is the order that the form is bound to, else the one chosen in it.
func chosenOrder(view slack.View) string {
	order, _, _ := ParseValue(fieldOf(view, fieldOrder).SelectedOption.Value)
	return orElse(DecodeMeta(view.PrivateMetadata).Order, order)
}

// TooLong says how long a message is, and that nothing was done to it.
func TooLong(text string) string {
	return fmt.Sprintf("This has %s characters; at most %s can be sent. Nothing was cut and nothing was sent: shorten it, or send it in parts.",
		thousands(utf8.RuneCountInString(text)), thousands(order.MaxMessage))
}

func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// MessageEditor is the form for a message to an order's editor; channel is where it
// was opened.
func MessageEditor(t store.Tracked, words, channel, externalID string) slack.ModalViewRequest {
	return says("To the editor of *"+project(t)+"*:").messageForm(t, words, channel, externalID)
}

// MessageAnyOrder is that form for when the order is not known: it is chosen in it.
func MessageAnyOrder(words, channel, externalID string) slack.ModalViewRequest {
	return new(builder).chooseOrder("message").messageBoxes(words).
		form(TitleMessage, "Send", CallbackMessage, externalID, Meta{Channel: channel})
}

// Correction is that form for a message which was edited or deleted after it was sent.
func Correction(t store.Tracked, words, channel, externalID string) slack.ModalViewRequest {
	return says("The editor of *"+project(t)+"* keeps what was sent: the service cannot take it back. Say what counts instead:").
		messageForm(t, words, channel, externalID)
}

// Unsent is why something did not reach an editor.
type Unsent struct {
	Why      string   `json:"why,omitempty"`      // a sentence of ours, safe as it is
	Problems Problems `json:"problems,omitempty"` // the service's own words
	Doubt    bool     `json:"doubt,omitempty"`    // an earlier try was never answered
}

// unsent says why; what is what the editor did not get, safe as it is.
func (p *builder) unsent(u Unsent, what string) *builder {
	switch {
	case u.Why == "":
		p.problems(what+" not sent. The service says:", u.Problems, "Everything you typed is kept. Change what is needed and send it again.")
	case len(u.Problems) == 0:
		p.say(":warning: " + u.Why)
	default:
		p.say(":warning: " + u.Why).note("The service says: " + inQuotes(u.Problems))
	}
	return p.say(onlyIf(u.Doubt, "An earlier try was not answered, so the editor may have it already."))
}

// MessageRefused shows why a message was not sent, with the words kept.
func MessageRefused(t store.Tracked, words string, u Unsent, channel, externalID string) slack.ModalViewRequest {
	return new(builder).unsent(u, "Your message to the editor of *"+project(t)+"* was").
		messageForm(t, words, channel, externalID)
}

// messageForm is the rest of every message form that is bound to an order.
func (p *builder) messageForm(t store.Tracked, words, channel, externalID string) slack.ModalViewRequest {
	p.messageBoxes(words).note("Everybody in " + channelLink(t.Owner.Channel) + " reads it too, in the order's thread.")
	meta := metaOf(t)
	meta.Channel = channel
	return p.form(TitleMessage, "Send", CallbackMessage, externalID, meta)
}

// chooseOrder adds the box in which the order is chosen by typing a part of its name.
func (p *builder) chooseOrder(verb string) *builder {
	return p.put(ask(blockID(fieldOrder, 0, 0), "Order", "", orderSelect(verb)))
}

// orderSelect finds orders while a part of their name is typed.
func orderSelect(verb string) *slack.SelectBlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeExternal, plainText("Type a part of its name"), clip(ActionPick+verb, maxID))
	choose.MinQueryLength = new(int)
	return choose
}

// messageBoxes adds the message's boxes: two, as one of Slack's holds fewer characters than the
// service takes, and more for words that need them.
func (p *builder) messageBoxes(words string) *builder {
	texts := parts(words, maxInput, maxTextBoxes)
	if len(texts) == 1 {
		texts = append(texts, "")
	}
	label, hint := "Message", "At most "+thousands(order.MaxMessage)+" characters in all."
	for i, text := range texts {
		p.put(ask(blockID(fieldMessage, 0, i), label, hint, multiline(fieldMessage, text, maxInput)).WithOptional(i > 0))
		label, hint = "Message (more)", "Goes on where the box above ends."
	}
	return p
}

// MessageDenied says in a sentence of ours, safe as it is, why nothing was sent; the
// words are shown to be copied.
func MessageDenied(sentence, words, externalID string) slack.ModalViewRequest {
	return window(":warning: "+sentence).kept("Your words:", words).modal(TitleMessage, externalID, Meta{})
}

// MessageKept is [MessageRefused] for a message that came from no form: its button opens
// one, with the words that note keeps.
func MessageKept(t store.Tracked, words string, u Unsent, note string) Message {
	return new(builder).unsent(u, "Your message to the editor of *"+project(t)+"* was").
		kept("Your words:", words).messageButton(t, note).message()
}

// HadThis says that the editor has this message, or these images, already.
func HadThis(t store.Tracked, verb string) string {
	what := "this message already, word for word. Nothing was sent twice: change the words"
	if verb == order.VerbReference {
		what = "these images already. Nothing was sent twice: give others"
	}
	return "The editor of *" + project(t) + "* has " + what + " if you mean something new."
}
