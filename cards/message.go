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

// Letter is the message form as somebody filled it in.
type Letter struct {
	Order   string
	Text    string
	Channel string // where the form was opened
}

// DecodeMessage reads a submitted form. The problems are by block id.
func DecodeMessage(view slack.View) (Letter, map[string]string) {
	meta := DecodeMeta(view.PrivateMetadata)
	l := Letter{Order: chosenOrder(view, "message"), Channel: meta.Channel, Text: strings.TrimSpace(textOf(view, fieldMessage))}
	problems := map[string]string{}
	boxes := blocksOf(view, fieldMessage)
	switch {
	case l.Order == "":
		problems[blockOf(view, fieldOrder)] = "Choose the order whose editor should read this."
	case l.Text == "":
		problems[blockOf(view, fieldMessage)] = "Write what the editor should read."
	case utf8.RuneCountInString(l.Text) > order.MaxMessage:
		problems[boxes[len(boxes)-1]] = TooLong(l.Text)
	}
	return l, problems
}

// chosenOrder is the order that the form is bound to, else the one chosen in it.
func chosenOrder(view slack.View, verb string) string {
	if order := DecodeMeta(view.PrivateMetadata).Order; order != "" {
		return order
	}
	for _, id := range blocksOf(view, fieldOrder) {
		order, _, _ := ParseValue(view.State.Values[id][ActionPick+verb].SelectedOption.Value)
		return order
	}
	return ""
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
	return says("To the editor of *"+project(t)+"*:").letter(t, words, channel, externalID)
}

// MessageAnyOrder is that form for when the order is not known: it is chosen in it.
func MessageAnyOrder(words, channel, externalID string) slack.ModalViewRequest {
	return new(builder).chooseOrder("message").letterBoxes(words).
		form(TitleMessage, "Send", CallbackMessage, externalID, Meta{Channel: channel})
}

// Correction is that form for a message which was edited or deleted after it was sent.
func Correction(t store.Tracked, words, channel, externalID string) slack.ModalViewRequest {
	return says("The editor of *"+project(t)+"* keeps what was sent: the service cannot take it back. Say what counts instead:").
		letter(t, words, channel, externalID)
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
	if u.Doubt {
		p.say("An earlier try was not answered, so the editor may have it already.")
	}
	return p
}

// MessageRefused shows why a message was not sent, with the words kept.
func MessageRefused(t store.Tracked, words string, u Unsent, channel, externalID string) slack.ModalViewRequest {
	return new(builder).unsent(u, "Your message to the editor of *"+project(t)+"* was").
		letter(t, words, channel, externalID)
}

// letter is the rest of every message form that is bound to an order.
func (p *builder) letter(t store.Tracked, words, channel, externalID string) slack.ModalViewRequest {
	p.letterBoxes(words).note("Everybody in " + channelLink(t.Owner.Channel) + " reads it too, in the order's thread.")
	meta := metaOf(t)
	meta.Channel = channel
	return p.form(TitleMessage, "Send", CallbackMessage, externalID, meta)
}

// chooseOrder adds the box in which the order is chosen by typing a part of its name.
func (p *builder) chooseOrder(verb string) *builder {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeExternal, plainText("Type a part of its name"), ActionPick+verb)
	choose.MinQueryLength = new(int)
	p.blocks = append(p.blocks, slack.NewInputBlock(blockID(fieldOrder, 0, 0), plainText("Order"), nil, choose))
	return p
}

// letterBoxes adds the message's boxes: two, as one of Slack's holds fewer characters than the
// service takes, and more for words that need them.
func (p *builder) letterBoxes(words string) *builder {
	texts := parts(words, maxInput, maxTextBoxes)
	if len(texts) == 1 {
		texts = append(texts, "")
	}
	for i, text := range texts {
		box := multiline(fieldMessage, text, maxInput)
		label, hint := "Message", "At most "+thousands(order.MaxMessage)+" characters in all."
		if i > 0 {
			label, hint = "Message (more)", "Goes on where the box above ends."
		}
		block := slack.NewInputBlock(blockID(fieldMessage, 0, i), plainText(label), plainText(hint), box)
		p.blocks = append(p.blocks, block.WithOptional(i > 0))
	}
	return p
}

// MessageSending shows that the message is on its way; without an order it names none.
func MessageSending(t store.Tracked, externalID string) slack.ModalViewRequest {
	return says("Sending your message to the editor"+of(t)+"…").
		note("You can close this window. The message appears in the order's thread, and if anything goes wrong you are told.").
		modal(TitleMessage, externalID, metaOf(t))
}

// of is " of *Smith wedding*", nothing without an order.
func of(t store.Tracked) string {
	if t.ID == "" {
		return ""
	}
	return " of *" + project(t) + "* "
}

// MessageLater says that the service does not answer: the message is sent, or sent
// again, when it does.
func MessageLater(t store.Tracked, words, externalID string) slack.ModalViewRequest {
	return window("The photo service does not answer just now. Nothing is lost: I send your message to the editor of *"+project(t)+"* as soon as the service is back, and it arrives once.").
		kept("Your words:", words).note("There is nothing for you to do. If anything goes wrong you are told.").
		modal(TitleMessage, externalID, metaOf(t))
}

// MessageSent is the good end.
func MessageSent(t store.Tracked, externalID string) slack.ModalViewRequest {
	return says(":white_check_mark: Sent to the editor of *"+project(t)+"*.").
		note("Everybody in "+channelLink(t.Owner.Channel)+" can read it in the order's thread, and the answer when it comes.").
		modal(TitleMessage, externalID, metaOf(t))
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

// NoMessage says that the order can take no message any more, "" when it can.
func NoMessage(t store.Tracked) string {
	switch t.WhyNot(order.VerbMessage) {
	case "":
		return ""
	case order.ReasonGone:
		return "*" + project(t) + "*" + isGone + "nobody there can read a message. Nothing was sent."
	}
	return "*" + project(t) + "* is no longer followed here. Nothing was sent: track it again, or ask the service's support."
}

// HadThis says that the editor has this message, or these images, already.
func HadThis(t store.Tracked, verb string) string {
	what := "this message already, word for word. Nothing was sent twice: change the words"
	if verb == order.VerbReference {
		what = "these images already. Nothing was sent twice: give others"
	}
	return "The editor of *" + project(t) + "* has " + what + " if you mean something new."
}

// NoAnswer says that the service never answered, and I stopped trying.
func NoAnswer(t store.Tracked) string {
	return "The photo service answers, but never clearly when I send this to the editor of *" + project(t) + "*. I have stopped trying. Everything you typed is kept; sending it again is safe."
}
