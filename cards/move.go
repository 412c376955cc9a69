package cards

import (
	"cmp"
	"strings"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Slack ids and titles.
const (
	CallbackMove = "move"
	TitleMove    = "Move order"
)

const (
	fieldMoveTo  = "moveto"
	fieldConfirm = "widen"
)

// MoveBlock begins the block id of a button that asks for confirmation. The target channel follows.
const MoveBlock = "moveto:"

// Widens says who else could see an order in its new channel. "" is nobody.
type Widens string

// Who else could see it.
const (
	WidensPublic Widens = "public" // everybody in the workspace
	WidensOut    Widens = "out"    // people of other organizations
)

// MoveTo is the target of a move, as far as it is known.
type MoveTo struct {
	Channel string // "": not chosen yet
	From    string // where the form was opened
	Problem string // why that channel cannot have the order, as a safe sentence
	Widens  Widens // who else could see the order there
}

// Move asks for the channel that gets an order.
func Move(t store.Tracked, to MoveTo, externalID string) slack.ModalViewRequest {
	p := &kit.Page{}
	p.Say(kit.Prefixed(":warning: The order was not moved. ", to.Problem))
	p.Say("Move *" + Project(t) + "* from " + kit.ChannelLink(t.Owner.Channel) + " to another channel. Its card, buttons and updates move. Earlier messages stay.")
	p.Put(kit.Field(kit.BlockID(fieldMoveTo, 0, 0), "Move to", "You must be a member of it.", kit.ChannelSelect(fieldMoveTo, to.Channel)))
	if to.Widens != "" && kit.IsChannel(to.Channel) {
		addConfirm(p, to.Channel, to.Widens)
	}
	meta := MetaOf(t)
	meta.Channel = to.From
	return p.Form(TitleMove, "Move Order", CallbackMove, externalID, meta)
}

// addConfirm asks whether others may see the order. The answer holds for this channel only.
func addConfirm(p *kit.Page, channel string, w Widens) {
	label, answer := "Make it public", "Yes, everybody may see this order"
	warning := "The order's channel is private, and " + kit.ChannelLink(channel) + " is public. Everybody in the workspace"
	if w == WidensOut {
		label, answer = "Share it", "Yes, they may see this order"
		warning = kit.ChannelLink(channel) + " is shared with other organizations. Their people"
	}
	p.Say(":warning: " + warning + " will see the order, its photos and its updates.")
	box := slack.NewCheckboxGroupsBlockElement(fieldConfirm, kit.Option(channel, answer, ""))
	p.Put(kit.Field(fieldConfirm+":"+channel, label, "", box))
}

// MoveForm is a submitted move form.
type MoveForm struct {
	Order     string
	Channel   string
	Confirmed bool // the person confirmed that others may see the order in Channel
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
		return f, kit.Beside(view, fieldMoveTo, "I cannot tell which order this is. Close this window and press “Move This Order” again.")
	case !kit.IsChannel(f.Channel):
		return f, kit.Beside(view, fieldMoveTo, "Choose a channel. An order cannot live in a direct message.")
	}
	return f, nil
}

// MoveAsk asks a command's user whether others may see the order. Its button opens the form, filled in.
func MoveAsk(t store.Tracked, channel string, w Widens) kit.Message {
	others := " is in a private channel, and " + kit.ChannelLink(channel) + " is public. Everybody in the workspace"
	if w == WidensOut {
		others = " would come into " + kit.ChannelLink(channel) + ", which is shared with other organizations. Their people"
	}
	p := kit.NewPage("*" + Project(t) + "*" + others + " would see the order, its photos and its updates. Nothing was moved yet.")
	return p.Put(slack.NewActionBlock(kit.OnlyIf(kit.IsChannel(channel), MoveBlock+channel), moveButton(t))).Message()
}

// moveButton opens the form that moves the order.
func moveButton(t store.Tracked) slack.BlockElement {
	return OrderButton(t, "Move This Order", "Move This Order:", ActionMove, Value(t.ID, t.Order.Rev()))
}

// MoveDenied says who may move an order.
func MoveDenied(t store.Tracked) string {
	return "Only operators and the requester may move *" + Project(t) + "*. Nothing was changed. Ask " +
		cmp.Or(kit.Notify(t.Owner.Requester), "an operator") + "."
}

// MoveKept says who may move an order out of a channel with approvers.
func MoveKept(t store.Tracked, approvers []string) string {
	return "Only " + kit.MentionAll(approvers) + " and operators move orders out of " + kit.ChannelLink(t.Owner.Channel) + ". Nothing was changed. Ask one of them."
}

// ChannelName reads a channel from a command: <#C1|name> or its id. It returns false for a bare name, which
// only Slack can resolve.
func ChannelName(word string) (channel string, ok bool) {
	word = strings.TrimSuffix(strings.TrimPrefix(word, "<#"), ">")
	word, _, _ = strings.Cut(word, "|")
	return word, kit.IsChannel(word)
}

// Moved confirms to its user that the order moved.
var Moved = WindowOn(TitleMove, "The earlier card stays, and does not say where the order went.",
	":white_check_mark: Moved: {order} is in {channel} now.")

// Moving shows that the move is in progress.
func Moving(externalID string) slack.ModalViewRequest {
	return kit.NewPage("Moving the order…").Note("You can close this window. I tell you the result.").Modal(TitleMove, externalID, kit.Meta{})
}

// MoveLater says that the move waits behind an earlier request.
func MoveLater(externalID string) slack.ModalViewRequest {
	return kit.NewPage("An earlier request on this order waits for the photo service, which does not answer just now. The order moves right after it.").
		Note("You need not wait. I tell you the result.").Modal(TitleMove, externalID, kit.Meta{})
}
