package cards

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// OrderSelect returns a picker that searches orders by part of their name.
func OrderSelect(verb string) *slack.SelectBlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeExternal, kit.PlainText("Type part of its name"), kit.Clip(ActionPick+verb, kit.MaxID))
	choose.MinQueryLength = new(int)
	return choose
}

// Sentence is the one map from an error to the text that people read: what happened and what to do. An
// unexpected error shows only ref, the error code in the log; "" shows no code. A nil error returns "".
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
	unforeseen := "Something went wrong. Nothing was lost. Try again in a minute. If it fails again, tell your Darkroom admin."
	if ref != "" {
		unforeseen = "Something went wrong. Nothing was lost. Try again in a minute. If it fails again, give your Darkroom admin error code " + kit.Inline(ref, 20) + "."
	}
	return sentences.of(err, unforeseen)
}

// byKind maps kinds of errors to sentences. The first match counts, so more specific kinds come first.
type byKind []struct {
	kind     error
	sentence string
}

// of returns the sentence for err, or other.
func (rows byKind) of(err error, other string) string {
	for _, row := range rows {
		if errors.Is(err, row.kind) {
			return row.sentence
		}
	}
	return other
}

var sentences = byKind{
	{store.ErrNotTracked, "No order with that ID was found. Nothing was changed. Check the order code on the order's card and try again."},
	{store.ErrStale, "The order changed just now. Nothing was lost. Look at its card and try again."},
	{store.ErrNoDraft, "That form is no longer saved: drafts last seven days. Nothing was sent. Start again with `/order new`"},
	{order.ErrUnknown, "The photo service did not answer clearly. I do not know yet if this worked. Nothing was lost. Check the order's card before you try again."},
	{order.ErrRateLimited, "The photo service is busy and asked me to slow down. Nothing was lost and nothing was done. Try again in a minute."},
	{order.ErrUnavailable, "The photo service cannot be reached right now. Nothing was lost and nothing was done. Try again in a few minutes."},
	{order.ErrNoSuchPath, "This photo service does not offer that. Nothing was lost and nothing was done. Ask its support how to do it."},
}

// nextSteps says what to do about a refusal of the service.
var nextSteps = byKind{
	{order.ErrInsufficientBalance, "Add credits to the account, or order fewer photos."},
	{order.ErrInaccessibleFile, "Make sure that anyone can open the link without signing in, then try again."},
	{order.ErrDeadlinePassed, "The time to cancel is over. The photo service's support can still help."},
	{order.ErrInvalidStatus, "The order has moved on. Look at its card."},
	{order.ErrDuplicate, "It has this already. Change the text if you mean something new."},
	{order.ErrInvalidOrder, "Check the order code on the order's card."},
	{order.ErrImageNotFound, "Look at the order's newest photos and try again."},
}

// refusal quotes all of the service's reasons, then the next step.
func refusal(answer *order.Error, err error) string {
	if len(answer.Messages) == 0 {
		return "The photo service refused this and gave no reason. Nothing was lost and nothing was done. Look at the order's card and try again."
	}
	return "The photo service says: " + kit.InQuotes(answer.Messages) + " Nothing was lost and nothing was done. " + nextSteps.of(err, "Change what it names and try again.")
}

// Elsewhere answers a person who used an order of another workspace in a shared channel.
const Elsewhere = "This order belongs to another workspace that shares this channel. You cannot use it from yours. Nothing was sent or changed. Ask somebody in that workspace."

// NotFound answers an unknown ID, and an ID that is hidden from the person. Both must read the same.
func NotFound(id string) string {
	if strings.TrimSpace(id) == "" {
		return "There is no such order. The order code is on the order's card."
	}
	return "There is no order “" + kit.Inline(id, 60) + "”. Check the order code on the order's card and try again."
}

// CannotPost says why the channel cannot be used, and what to do about it.
func CannotPost(channel string, why order.Denial) string {
	says := cmp.Or(cannotPost[why], cannotPost[order.DeniedByChannel])
	return strings.NewReplacer("{channel}", kit.ChannelLink(channel), "{member}", FullMember(channel), "{only}", OnlySees(why)).Replace(says)
}

// cannotPost maps reasons to texts. {channel} is the channel, {member} the people to ask, {only} the reader's
// role.
var cannotPost = map[order.Denial]string{
	order.DeniedNotInChannel: "I am not in {channel}. Nothing was lost. Invite me to it with `/invite`, then try again.",
	order.DeniedNoChannel:    "I cannot find {channel}. Nothing was lost. If it is private, invite me with `/invite`, or choose another channel.",
	order.DeniedArchived:     "{channel} is archived. Nothing was lost. Unarchive it or choose another channel.",
	order.DeniedMissingScope: "Slack does not let me post in {channel}: I lack a permission. Nothing was lost. Ask a workspace admin to install me again.",
	order.DeniedTokenRevoked: "I cannot post in {channel}: Slack has taken my access away. Nothing was lost. Ask a workspace admin to install me again.",
	order.DeniedNotMember:    "You are not a member of {channel}. Nothing was lost. Join it or choose another channel.",
	order.DeniedNoRoom:       NeedsChannel,
	order.DeniedGuest:        "{only}change them. Nothing was changed. Ask {member}.",
	order.DeniedExternal:     "{only}change them. Nothing was changed. Ask {member}.",
	order.DeniedNoPerson:     "{only}change them. Nothing was changed. Ask {member}.",
	order.DeniedUnsure:       "{only}change them. Nothing was changed. Try again in a few minutes, or ask {member}.",
	order.DeniedByChannel:    "Slack does not let me post in {channel}. A setting of the channel or workspace may forbid it. Nothing was lost. Choose another channel, or ask a workspace admin to allow it.",
}

// isGone comes before what is therefore impossible. The photo service was just asked.
const isGone = "The photo service cannot find {order}. I tell its channel when it is back. "

// NeedsChannel says that orders need a channel.
const NeedsChannel = "Orders live in channels, and I cannot join a group direct message. Nothing was lost. Choose a channel, or turn this conversation into a private channel and invite me."

// FullMember names the people to ask. Direct messages and App Home have no channel.
func FullMember(channel string) string {
	return "a full member of " + kit.Either(channel == "", "this workspace", kit.ChannelLink(channel))
}

// OnlySees begins a sentence about an action that a read-only person may not take.
func OnlySees(why order.Denial) string {
	who := map[order.Denial]string{
		order.DeniedExternal: "People of other organizations",
		order.DeniedNoPerson: "Apps and accounts that are switched off",
		order.DeniedUnsure:   "Slack does not tell me if you belong to this workspace, so you",
	}[why]
	return cmp.Or(who, "Guests") + " may look at orders but not "
}

// Expand fills in an order: {order} is its name, {channel} a link, {status} its status, {handle} the text that
// names it in commands. Values are escaped and not expanded again.
func Expand(text string, t store.Tracked) string {
	return strings.NewReplacer("{order}", "*"+Project(t)+"*", "{channel}", kit.ChannelLink(t.Owner.Channel),
		"{status}", statusWords(t.Order.Status), "{handle}", Handle(t)).Replace(text)
}

// sentenceOf returns a function that expands text for an order.
func sentenceOf(text string) func(store.Tracked) string {
	return func(t store.Tracked) string { return Expand(text, t) }
}

// cannot returns a function that says why an order cannot have a verb: the reason's sentence, or other.
func cannot(verb, other string, says map[order.Reason]string) func(store.Tracked) string {
	return func(t store.Tracked) string { return Expand(cmp.Or(says[t.WhyNot(verb)], other), t) }
}

// Busy answers a read-only request when too many run. It is not retried.
const Busy = "I am busy right now and could not show this. Nothing was changed. Ask again in a moment."

// Unseen answers a read-only request that failed. It is not retried.
const Unseen = "I could not look that up just now. Nothing was changed. Ask again in a moment."

// Sentences about one order.
var (
	// CannotApprove says why an order cannot be approved now.
	CannotApprove = cannot(order.VerbApprove,
		"{order} is not ready for review ({status}). Nothing was changed. Its channel is told when the edited photos are ready.",
		map[order.Reason]string{
			order.ReasonGone:     isGone + "It cannot be approved until then. Nothing was changed.",
			order.ReasonClosed:   "{order} is approved already. There is nothing left to do.",
			order.ReasonCanceled: "{order} was canceled, so there is nothing to approve.",
		})
	// CannotRevise says why changes cannot be requested now.
	CannotRevise = cannot(order.VerbRevise,
		"{order} is not ready for review ({status}). Nothing was sent. Its channel is told when the edited photos are ready.",
		map[order.Reason]string{
			order.ReasonGone:     isGone + "No changes can be requested until then. Nothing was sent.",
			order.ReasonClosed:   "{order} was approved and is closed. Nothing was sent. For more work on these photos, place a new order: `/order new`",
			order.ReasonCanceled: "{order} was canceled. Nothing was sent.",
			order.ReasonRevising: "Changes to {order} are being made already. Nothing was sent. Its channel is told when they are ready for review.",
		})
	// CannotName says that the order has no image for which changes can be requested.
	CannotName = sentenceOf("The photo service gives the edited photos of {order} no IDs, so changes cannot name them. Nothing was sent. Write to the editor instead: `/order message {handle} …`")
	// CannotCancel says why an order cannot be canceled now.
	CannotCancel = cannot(order.VerbCancel,
		"It is too late to cancel {order} ({status}). Nothing was changed. You can still tell the editor: `/order message {handle} …`",
		map[order.Reason]string{
			order.ReasonGone:     isGone + "It cannot be canceled until then. Nothing was changed.",
			order.ReasonCanceled: "{order} is canceled already. There is nothing left to do.",
			order.ReasonClosed:   "{order} was approved and is closed. Nothing was changed.",
		})
	// NoMessage says why an order takes no messages, or returns "".
	NoMessage = cannot(order.VerbMessage, "", map[order.Reason]string{
		order.ReasonGone:      isGone + "Nobody can read a message until then. Nothing was sent.",
		order.ReasonUntracked: "{order} is no longer tracked in this channel. Nothing was sent. Track it again, or ask the photo service's support.",
	})
	// NoAnswer says that the app gave up sending because the service never answered clearly.
	NoAnswer = sentenceOf("I cannot deliver this to the editor of {order}: the photo service never answers clearly. I have stopped trying. Your text is saved. Sending it again is safe.")
	// MovedAlready says that the order is in that channel already.
	MovedAlready = sentenceOf("{order} is in {channel} already.")
)

// First says who acted first when two people act on an order at once. The sentence ends with a space; it is ""
// if nobody did. me reads it and may have acted first.
func First(e *order.Event, me string, now time.Time) string {
	if e == nil {
		return ""
	}
	active, passive := actionTexts(e.Kind)
	if active == "" {
		return ""
	}
	at := kit.Either(now.Sub(e.At) > justNow, kit.When(e.At), "a moment ago")
	switch e.Actor {
	case "":
		return passive + " elsewhere " + at + ". "
	case me:
		return "You " + active + " " + at + ". "
	}
	return kit.Subject(e.Actor) + " " + active + " " + at + ". "
}

// justNow is how long an event counts as "a moment ago".
const justNow = 2 * time.Minute

func actionTexts(kind order.EventKind) (active, passive string) {
	switch kind {
	case order.EventApproved:
		return "approved it", "It was approved"
	case order.EventCanceled:
		return "canceled it", "It was canceled"
	case order.EventChanges:
		return "requested changes to it", "Changes to it were requested"
	}
	return "", ""
}
