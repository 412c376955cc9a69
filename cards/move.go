package cards

import (
	"strings"

	"darkroom/store"

	"github.com/slack-go/slack"
)

const (
	fieldMoveTo  = "moveto"
	fieldConfirm = "widen"
)

// MoveBlock begins the block id of the button that asks for a confirmation; the channel
// that was named follows.
const MoveBlock = "moveto:"

// Widens is who else could see an order in the channel that it is to go to; "" is nobody.
type Widens string

// Who could.
const (
	WidensPublic Widens = "public" // everybody in the workspace
	WidensOut    Widens = "out"    // people of other organisations
)

// MoveTo is where an order is to go, as far as that is known.
type MoveTo struct {
	Channel string // "": not chosen yet
	From    string // where the form was opened
	Problem string // why that channel cannot have it; a sentence of ours, safe as it is
	Widens  Widens // others could see it there: ask
}

// Move asks for the channel that an order is handed to.
func Move(t store.Tracked, to MoveTo, externalID string) slack.ModalViewRequest {
	p := &builder{}
	p.say(led(":warning: The order was not moved. ", to.Problem))
	p.say("Hand *" + project(t) + "* over from " + channelLink(t.Owner.Channel) + " to another channel: its card, buttons and news come there from then on. What was said so far stays where it is.")
	p.put(ask(blockID(fieldMoveTo, 0, 0), "Move to", "You must be a member of it.", channelSelect(fieldMoveTo, to.Channel)))
	if to.Widens != "" && isChannel(to.Channel) {
		p.confirm(to.Channel, to.Widens)
	}
	meta := metaOf(t)
	meta.Channel = to.From
	return p.form(TitleMove, "Move order", CallbackMove, externalID, meta)
}

// confirm asks whether others may see what only a few could; the answer is good for that
// one channel.
func (p *builder) confirm(channel string, w Widens) {
	label, answer := "Make it public", "Yes, everybody may see this order"
	warning := "The order's channel is private, and " + channelLink(channel) + " is public: everybody in the workspace"
	if w == WidensOut {
		label, answer = "Share it", "Yes, they may see this order"
		warning = channelLink(channel) + " is shared with other organisations: their people"
	}
	p.say(":warning: " + warning + " will be able to see the order, its images and its news.")
	box := slack.NewCheckboxGroupsBlockElement(fieldConfirm, slack.NewOptionBlockObject(channel, plainText(answer), nil))
	p.put(ask(fieldConfirm+":"+channel, label, "", box))
}

// MoveForm is the move form as somebody filled it in.
type MoveForm struct {
	Order     string
	Channel   string
	Confirmed bool // the others may see it in that channel
}

// DecodeMove reads a submitted form. The problems are by block id.
func DecodeMove(view slack.View) (MoveForm, map[string]string) {
	f := MoveForm{
		Order:   DecodeMeta(view.PrivateMetadata).Order,
		Channel: fieldOf(view, fieldMoveTo).SelectedConversation,
	}
	for _, option := range fieldOf(view, fieldConfirm).SelectedOptions {
		f.Confirmed = f.Confirmed || option.Value == f.Channel
	}
	switch {
	case f.Order == "":
		return f, beside(view, fieldMoveTo, "This window has lost its order. Close it and press Move this order again.")
	case !isChannel(f.Channel):
		return f, beside(view, fieldMoveTo, "Choose a channel: an order cannot live in a direct message.")
	}
	return f, nil
}

// MoveAsk asks on the way from a command line whether others may see what only a few
// could: the button opens the form, filled in.
func MoveAsk(t store.Tracked, channel string, w Widens) Message {
	others := " is in a private channel, and " + channelLink(channel) + " is public: everybody in the workspace"
	if w == WidensOut {
		others = " would come into " + channelLink(channel) + ", which is shared with other organisations: their people"
	}
	p := says("*" + project(t) + "*" + others + " would be able to see the order, its images and its news. Nothing was moved yet.")
	return p.put(slack.NewActionBlock(onlyIf(isChannel(channel), MoveBlock+channel), moveButton(t))).message()
}

// moveButton opens the form that moves the order.
func moveButton(t store.Tracked) slack.BlockElement {
	return pressOf(t, "Move this order", "Move this order:", ActionMove, Value(t.ID, t.Order.Rev()))
}

// MoveDenied says who may hand an order over.
func MoveDenied(t store.Tracked) string {
	return "Only operators and the person who asked for *" + project(t) + "* may move it. Nothing was changed: ask " +
		orElse(called(t.Owner.Requester), "an operator") + "."
}

// MoveKept says who alone may hand an order out of a channel that names approvers.
func MoveKept(t store.Tracked, approvers []string) string {
	return "Only " + mentions(approvers) + ", and operators, move orders out of " + channelLink(t.Owner.Channel) + ". Nothing was changed: ask one of them."
}

// ChannelName reads a channel off a command line: <#C1|name>, or its id. It is false for
// a bare name, which only Slack could look up.
func ChannelName(word string) (channel string, ok bool) {
	word = strings.TrimSuffix(strings.TrimPrefix(word, "<#"), ">")
	word, _, _ = strings.Cut(word, "|")
	return word, isChannel(word)
}
