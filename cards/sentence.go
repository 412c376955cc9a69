package cards

import (
	"cmp"
	"errors"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// OrderSelect finds orders while a part of their name is typed.
func OrderSelect(verb string) *slack.SelectBlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeExternal, kit.PlainText("Type a part of its name"), kit.Clip(ActionPick+verb, kit.MaxID))
	choose.MinQueryLength = new(int)
	return choose
}

// Sentence is the one map from an error to what a person reads: what happened,
// that nothing was lost, what to do next. An error nobody foresaw shows only
// ref, the short reference that is in the log line too; "" shows none. No error is no sentence.
func Sentence(err error, ref string) string {
	if err == nil {
		return ""
	}
	if input, ok := errors.AsType[*order.InputError](err); ok {
		return kit.FullStop(kit.Inline(input.Problem, 500)) + " Nothing was sent. Change that and try again."
	}
	if answer, ok := errors.AsType[*order.Error](err); ok && errors.Is(err, order.ErrRefused) {
		return refusal(answer, err)
	}
	unforeseen := "Something went wrong. Nothing was lost. Try again in a minute; if it happens again, tell whoever looks after this app."
	if ref != "" {
		unforeseen = "Something went wrong (ref " + kit.Inline(ref, 20) + "). Nothing was lost. Try again in a minute; if it happens again, tell whoever looks after this app the reference."
	}
	return sentences.of(err, unforeseen)
}

// byKind are sentences for kinds of errors. They are asked in their order: the more telling kind
// comes first.
type byKind []struct {
	kind error
	says string
}

// of is the sentence for an error, or the other one when there is none for its kind.
func (rows byKind) of(err error, other string) string {
	for _, row := range rows {
		if errors.Is(err, row.kind) {
			return row.says
		}
	}
	return other
}

var sentences = byKind{
	{store.ErrNotTracked, "No order with that ID was found here. Nothing was changed. The reference is on the order's card; check it and try again."},
	{store.ErrStale, "The order changed at this very moment. Nothing was lost: look at its card and try again."},
	{store.ErrNoDraft, "That form is no longer kept: drafts live for seven days. Nothing was sent. Start again with `/order new`"},
	{order.ErrUnknown, "The service did not answer clearly, so I cannot tell yet whether it did this. Nothing was lost, and the order's card shows the truth as soon as the service tells it. Look there before you try again."},
	{order.ErrRateLimited, "The service is busy and asked me to slow down. Nothing was lost and nothing was done. Try again in a minute."},
	{order.ErrUnavailable, "The service cannot be reached right now. Nothing was lost and nothing was done. Try again in a few minutes."},
	{order.ErrNoSuchPath, "This service does not offer that. Nothing was lost and nothing was done. Ask its support how to do it there."},
}

// nextSteps are what to do about a refusal of the service.
var nextSteps = byKind{
	{order.ErrInsufficientBalance, "Add credits to the account, or order fewer images."},
	{order.ErrInaccessibleFile, "Make sure that anyone can open the link without signing in, then try again."},
	{order.ErrDeadlinePassed, "The time to cancel is over; the service's support can still help."},
	{order.ErrInvalidStatus, "The order has moved on; look at its card."},
	{order.ErrDuplicate, "It has this already; change the words if you mean something new."},
	{order.ErrInvalidOrder, "Check the reference on the order's card."},
	{order.ErrImageNotFound, "Look at the order's newest images and try again."},
}

// refusal is the service's own words, all of them, and the next step.
func refusal(answer *order.Error, err error) string {
	if len(answer.Messages) == 0 {
		return "The service refused this and gave no reason. Nothing was lost and nothing was done. Look at the order's card and try again."
	}
	return "The service says: " + kit.InQuotes(answer.Messages) + " Nothing was lost and nothing was done. " + nextSteps.of(err, "Change what it names and try again.")
}

// Elsewhere says that an order is another workspace's, to somebody who used its message in a channel that both share.
const Elsewhere = "This order was placed from another workspace that shares this channel, so it cannot be used from yours. Nothing was sent or changed: please ask somebody there."

// NotFound is said of an id that does not exist and of one that is hidden from
// the person: both must read the same.
func NotFound(id string) string {
	if strings.TrimSpace(id) == "" {
		return "There is no such order here. The reference is on the order's card."
	}
	return "There is no order “" + kit.Inline(id, 60) + "” here. The reference is on the order's card; check it and try again."
}

// CannotPost says why the channel cannot be used, and what to do about it.
func CannotPost(channel string, why order.Denial) string {
	says := cmp.Or(cannotPost[why], cannotPost[order.DeniedByChannel])
	return strings.NewReplacer("{channel}", kit.ChannelLink(channel), "{member}", FullMember(channel), "{only}", OnlySees(why)).Replace(says)
}

// cannotPost is said of the {channel}; {member} is whom to ask, {only} who somebody is that may
// only look at orders.
var cannotPost = map[order.Denial]string{
	order.DeniedNotInChannel: "I am not in {channel}. Nothing was lost: invite me there with `/invite`, then try again.",
	order.DeniedNoChannel:    "I cannot find {channel}. If it is private, invite me there first with `/invite`. Nothing was lost: invite me or choose another channel.",
	order.DeniedArchived:     "The channel {channel} is archived. Nothing was lost: bring it back or choose another channel.",
	order.DeniedMissingScope: "Slack does not let me post in {channel}: I lack a permission. Nothing was lost: ask a workspace admin to install me again.",
	order.DeniedTokenRevoked: "Slack has taken my access away, so I cannot post in {channel}. Nothing was lost: ask a workspace admin to install me again.",
	order.DeniedNotMember:    "You are not a member of {channel}. Nothing was lost: join it or choose another channel.",
	order.DeniedNoRoom:       NeedsChannel,
	order.DeniedGuest:        "{only}change them. Nothing was changed: ask {member}.",
	order.DeniedExternal:     "{only}change them. Nothing was changed: ask {member}.",
	order.DeniedNoPerson:     "{only}change them. Nothing was changed: ask {member}.",
	order.DeniedUnsure:       "{only}change them. Nothing was changed: try again in a few minutes, or ask {member}.",
	order.DeniedByChannel:    "Slack does not let me post in {channel}; a setting of the channel or the workspace may forbid it. Nothing was lost: choose another channel, or ask a workspace admin to allow it.",
}

// isGone goes on with what therefore cannot be done: the service was just asked.
const isGone = " is gone at the service, which did not know it when I last asked; I go on asking, and tell its channel when it is back. Until then "

// NeedsChannel says where orders live, and what to do in a direct message of several.
const NeedsChannel = "Orders live in channels: I cannot be in a group direct message. Nothing was lost: choose a channel, or turn this conversation into a private channel and invite me there."

// FullMember is whom to ask for what one may not do; in a direct message and in the Home
// there is no channel.
func FullMember(channel string) string {
	if channel == "" {
		return "a full member of this workspace"
	}
	return "a full member of " + kit.ChannelLink(channel)
}

// OnlySees begins a sentence about what somebody may not do with orders, for the reason.
func OnlySees(why order.Denial) string {
	who := map[order.Denial]string{
		order.DeniedExternal: "People of other organisations",
		order.DeniedNoPerson: "Apps and accounts that are switched off",
		order.DeniedUnsure:   "Slack does not tell me whether you belong to this workspace, so you",
	}[why]
	return cmp.Or(who, "Guests") + " may look at orders but not "
}

// Expand puts what belongs to an order into a text of ours: {order} is its name, {channel} a link
// to its channel, {status} how it stands, {handle} what people type to name it. Words that people
// wrote come in with them, safe, and are not read again.
func Expand(text string, t store.Tracked) string {
	return strings.NewReplacer("{order}", "*"+Project(t)+"*", "{channel}", kit.ChannelLink(t.Owner.Channel),
		"{status}", statusWords(t.Order.Status), "{handle}", Handle(t)).Replace(text)
}

// about makes the sentence that [Expand] makes of a text.
func about(text string) func(store.Tracked) string {
	return func(t store.Tracked) string { return Expand(text, t) }
}

// cannot makes the sentence that says why an order cannot have a verb as it stands: that of the
// reason, or the other one.
func cannot(verb, other string, says map[order.Reason]string) func(store.Tracked) string {
	return func(t store.Tracked) string { return Expand(cmp.Or(says[t.WhyNot(verb)], other), t) }
}

// Busy is said to somebody whose look found no place: nothing waits for it.
const Busy = "I am busy right now and could not show this. Nothing was changed; please ask again in a moment."

// Unseen is said when what is to be shown cannot be read: nothing waits for that either.
const Unseen = "I could not look that up just now. Nothing was changed; please ask again in a moment."

// Sentences about one order.
var (
	// CannotApprove says why an order cannot be approved as it stands.
	CannotApprove = cannot(order.VerbApprove,
		"{order} is not ready for review ({status}). Nothing was changed: you are told in its channel when the images are ready.",
		map[order.Reason]string{
			order.ReasonGone:     "{order}" + isGone + "it cannot be approved. Nothing was changed.",
			order.ReasonClosed:   "{order} is approved already. There is nothing left to do.",
			order.ReasonCanceled: "{order} was canceled, so there is nothing to approve.",
		})
	// CannotRevise says why no changes can be asked for as an order stands.
	CannotRevise = cannot(order.VerbRevise,
		"{order} is not ready for review ({status}), so no changes can be requested yet. Nothing was sent: you are told in its channel when the images are ready.",
		map[order.Reason]string{
			order.ReasonGone:     "{order}" + isGone + "no changes can be requested. Nothing was sent.",
			order.ReasonClosed:   "{order} was approved, and an approved order is closed. Nothing was sent. For more work on these photos, place a new order: `/order new`",
			order.ReasonCanceled: "{order} was canceled, so no changes can be requested. Nothing was sent.",
			order.ReasonRevising: "Changes to {order} are being made already. Nothing was sent: you are told in its channel when they are ready for review.",
		})
	// CannotName says that there is no image for which changes could be asked.
	CannotName = about("The service shows no edited image of {order} by its ID, so no changes can be requested. Nothing was sent. Write to the editor instead: `/order message {handle} …`")
	// CannotCancel says why an order cannot be canceled as it stands.
	CannotCancel = cannot(order.VerbCancel,
		"{order} cannot be canceled any more ({status}). Nothing was changed. You can still tell the editor: `/order message {handle} …`",
		map[order.Reason]string{
			order.ReasonGone:     "{order}" + isGone + "it cannot be canceled. Nothing was changed.",
			order.ReasonCanceled: "{order} is canceled already. There is nothing left to do.",
			order.ReasonClosed:   "{order} was approved and is closed, so it cannot be canceled. Nothing was changed.",
		})
	// NoMessage says that the order can take no message any more, "" when it can.
	NoMessage = cannot(order.VerbMessage, "", map[order.Reason]string{
		order.ReasonGone:      "{order}" + isGone + "nobody there can read a message. Nothing was sent.",
		order.ReasonUntracked: "{order} is no longer followed here. Nothing was sent: track it again, or ask the service's support.",
	})
	// NoAnswer says that the service never answered, and I stopped trying.
	NoAnswer = about("The photo service answers, but never clearly when I send this to the editor of {order}. I have stopped trying. Everything you typed is kept; sending it again is safe.")
	// MovedAlready says that the order is in that channel.
	MovedAlready = about("{order} is in {channel} already.")
)
