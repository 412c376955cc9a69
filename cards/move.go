package cards

import (
	"cmp"
	"strings"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Ids and titles as Slack has them.
const (
	CallbackMove = "move"
	TitleMove    = "Move order"
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
	p := &kit.Page{}
	p.Say(kit.Prefixed(":warning: The order was not moved. ", to.Problem))
	p.Say("Hand *" + Project(t) + "* over from " + kit.ChannelLink(t.Owner.Channel) + " to another channel: its card, buttons and news come there from then on. What was said so far stays where it is.")
	p.Put(kit.Field(kit.BlockID(fieldMoveTo, 0, 0), "Move to", "You must be a member of it.", kit.ChannelSelect(fieldMoveTo, to.Channel)))
	if to.Widens != "" && kit.IsChannel(to.Channel) {
		addConfirm(p, to.Channel, to.Widens)
	}
	meta := MetaOf(t)
	meta.Channel = to.From
	return p.Form(TitleMove, "Move order", CallbackMove, externalID, meta)
}

// addConfirm asks whether others may see what only a few could; the answer is good for that
// one channel.
func addConfirm(p *kit.Page, channel string, w Widens) {
	label, answer := "Make it public", "Yes, everybody may see this order"
	warning := "The order's channel is private, and " + kit.ChannelLink(channel) + " is public: everybody in the workspace"
	if w == WidensOut {
		label, answer = "Share it", "Yes, they may see this order"
		warning = kit.ChannelLink(channel) + " is shared with other organisations: their people"
	}
	p.Say(":warning: " + warning + " will be able to see the order, its images and its news.")
	box := slack.NewCheckboxGroupsBlockElement(fieldConfirm, slack.NewOptionBlockObject(channel, kit.PlainText(answer), nil))
	p.Put(kit.Field(fieldConfirm+":"+channel, label, "", box))
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
		Order:   kit.DecodeMeta(view.PrivateMetadata).Order,
		Channel: kit.AnswerOf(view, fieldMoveTo).SelectedConversation,
	}
	for _, option := range kit.AnswerOf(view, fieldConfirm).SelectedOptions {
		f.Confirmed = f.Confirmed || option.Value == f.Channel
	}
	switch {
	case f.Order == "":
		return f, kit.Beside(view, fieldMoveTo, "This window has lost its order. Close it and press Move this order again.")
	case !kit.IsChannel(f.Channel):
		return f, kit.Beside(view, fieldMoveTo, "Choose a channel: an order cannot live in a direct message.")
	}
	return f, nil
}

// MoveAsk asks on the way from a command line whether others may see what only a few
// could: the button opens the form, filled in.
func MoveAsk(t store.Tracked, channel string, w Widens) kit.Message {
	others := " is in a private channel, and " + kit.ChannelLink(channel) + " is public: everybody in the workspace"
	if w == WidensOut {
		others = " would come into " + kit.ChannelLink(channel) + ", which is shared with other organisations: their people"
	}
	p := kit.NewPage("*" + Project(t) + "*" + others + " would be able to see the order, its images and its news. Nothing was moved yet.")
	return p.Put(slack.NewActionBlock(kit.OnlyIf(kit.IsChannel(channel), MoveBlock+channel), moveButton(t))).Message()
}

// moveButton opens the form that moves the order.
func moveButton(t store.Tracked) slack.BlockElement {
	return PressOf(t, "Move this order", "Move this order:", ActionMove, Value(t.ID, t.Order.Rev()))
}

// MoveDenied says who may hand an order over.
func MoveDenied(t store.Tracked) string {
	return "Only operators and the person who asked for *" + Project(t) + "* may move it. Nothing was changed: ask " +
		cmp.Or(kit.Notify(t.Owner.Requester), "an operator") + "."
}

// MoveKept says who alone may hand an order out of a channel that names approvers.
func MoveKept(t store.Tracked, approvers []string) string {
	return "Only " + kit.MentionAll(approvers) + ", and operators, move orders out of " + kit.ChannelLink(t.Owner.Channel) + ". Nothing was changed: ask one of them."
}

// ChannelName reads a channel off a command line: <#C1|name>, or its id. It is false for
// a bare name, which only Slack could look up.
func ChannelName(word string) (channel string, ok bool) {
	word = strings.TrimSuffix(strings.TrimPrefix(word, "<#"), ">")
	word, _, _ = strings.Cut(word, "|")
	return word, kit.IsChannel(word)
}

// Moved is the good end, for the person who moved the order.
var Moved = WindowOn(TitleMove, "The card it had before stays where it was and does not say where the order went.",
	":white_check_mark: Moved: {order} is in {channel} now.")

// Moving shows that the order is being handed over.
func Moving(externalID string) slack.ModalViewRequest {
	return kit.NewPage("Moving the order…").Note("You can close this window: you are told what came of it.").Modal(TitleMove, externalID, kit.Meta{})
}

// MoveLater says that the order is moved after what was asked for before.
func MoveLater(externalID string) slack.ModalViewRequest {
	return kit.NewPage("Somebody asked for something on this order before, and that waits for the photo service, which does not answer just now. The order moves right after it.").
		Note("There is nothing for you to do: you are told what came of it.").Modal(TitleMove, externalID, kit.Meta{})
}
