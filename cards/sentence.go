package cards

import (
	"errors"
	"strings"

	"darkroom/order"
	"darkroom/store"
)

// Sentence is the one map from an error to what a person reads: what happened,
// that nothing was lost, what to do next. An error nobody foresaw shows only
// ref, the short reference that is in the log line too. No error is no sentence.
func Sentence(err error, ref string) string {
	if err == nil {
		return ""
	}
	if input, ok := errors.AsType[*order.InputError](err); ok {
		return finished(inline(input.Problem, 500)) + " Nothing was sent. Change that and try again."
	}
	if answer, ok := errors.AsType[*order.Error](err); ok && errors.Is(err, order.ErrRefused) {
		return refusal(answer, err)
	}
	for _, row := range sentences() {
		if errors.Is(err, row.kind) {
			return row.says
		}
	}
	return "Something went wrong (ref " + inline(ref, 20) + "). Nothing was lost. Try again in a minute; if it happens again, tell whoever looks after this app the reference."
}

type sentence struct {
	kind error
	says string
}

// sentences are asked in this order: the more telling kind comes first.
func sentences() []sentence {
	return []sentence{
		{store.ErrNotTracked, "No order with that ID was found here. Nothing was changed. The ID is on the order's card; check it and try again."},
		{store.ErrStale, "The order changed at this very moment. Nothing was lost: look at its card and try again."},
		{store.ErrNoDraft, "That form is no longer kept: drafts live for seven days. Nothing was sent. Start again with `/order new`"},
		{order.ErrUnknown, "The service did not answer clearly, so I cannot tell yet whether it did this. Nothing was lost, and the order's card shows the truth as soon as the service tells it. Look there before you try again."},
		{order.ErrRateLimited, "The service is busy and asked me to slow down. Nothing was lost and nothing was done. Try again in a minute."},
		{order.ErrUnavailable, "The service cannot be reached right now. Nothing was lost and nothing was done. Try again in a few minutes."},
		{order.ErrNoSuchPath, "This service does not offer that. Nothing was lost and nothing was done. Ask its support how to do it there."},
	}
}

// refusal is the service's own words, all of them, and the next step.
func refusal(answer *order.Error, err error) string {
	if len(answer.Messages) == 0 {
		return "The service refused this and gave no reason. Nothing was lost and nothing was done. Look at the order's card and try again."
	}
	return "The service says: " + inQuotes(answer.Messages) + " Nothing was lost and nothing was done. " + nextStep(err)
}

// inQuotes are the service's words, each reason between quotation marks.
func inQuotes(reasons []string) string {
	said := make([]string, len(reasons))
	for i, reason := range reasons {
		said[i] = "“" + finished(inline(reason, 600)) + "”"
	}
	return cut(strings.Join(said, " "), 2000)
}

func nextStep(err error) string {
	switch {
	case errors.Is(err, order.ErrInsufficientBalance):
		return "Add credits to the account, or order fewer images."
	case errors.Is(err, order.ErrInaccessibleFile):
		return "Make sure that anyone can open the link without signing in, then try again."
	case errors.Is(err, order.ErrDeadlinePassed):
		return "The time to cancel is over; the service's support can still help."
	case errors.Is(err, order.ErrInvalidStatus):
		return "The order has moved on; look at its card."
	case errors.Is(err, order.ErrDuplicate):
		return "It has this already; change the words if you mean something new."
	case errors.Is(err, order.ErrInvalidOrder):
		return "Check the ID on the order's card."
	case errors.Is(err, order.ErrImageNotFound):
		return "Look at the order's newest images and try again."
	}
	return "Change what it names and try again."
}

// finished ends a sentence that somebody left open.
func finished(s string) string {
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// NotFound is said of an id that does not exist and of one that is hidden from
// the person: both must read the same.
func NotFound(id string) string {
	if strings.TrimSpace(id) == "" {
		return "There is no such order here. The ID is on the order's card."
	}
	return "There is no order “" + inline(id, 60) + "” here. The ID is on the order's card; check it and try again."
}

// CannotPost says why the channel cannot be used, and what to do about it.
func CannotPost(channel string, why order.Denial) string {
	c := channelLink(channel)
	switch why {
	case order.DeniedNotInChannel:
		return "I am not in " + c + ". Nothing was lost: invite me there with `/invite`, then try again."
	case order.DeniedNoChannel:
		return "I cannot find " + c + ". If it is private, invite me there first with `/invite`. Nothing was lost: invite me or choose another channel."
	case order.DeniedArchived:
		return "The channel " + c + " is archived. Nothing was lost: bring it back or choose another channel."
	case order.DeniedMissingScope:
		return "Slack does not let me post in " + c + ": I lack a permission. Nothing was lost: ask a workspace admin to install me again."
	case order.DeniedTokenRevoked:
		return "Slack has taken my access away, so I cannot post in " + c + ". Nothing was lost: ask a workspace admin to install me again."
	case order.DeniedNotMember:
		return "You are not a member of " + c + ". Nothing was lost: join it or choose another channel."
	case order.DeniedNoRoom:
		return NeedsChannel
	case order.DeniedGuest, order.DeniedExternal, order.DeniedNoPerson:
		return onlySees(why) + "change them. Nothing was changed: ask " + fullMember(channel) + "."
	case order.DeniedUnsure:
		return onlySees(why) + "change them. Nothing was changed: try again in a few minutes, or ask " + fullMember(channel) + "."
	}
	return "Slack does not let me post in " + c + "; a setting of the channel or the workspace may forbid it. Nothing was lost: choose another channel, or ask a workspace admin to allow it."
}

// isGone goes on with what therefore cannot be done: the service was just asked.
const isGone = " is gone at the service, which did not know it when I last asked; I go on asking, and tell its channel when it is back. Until then "

// NeedsChannel says where orders live, and what to do in a direct message of several.
const NeedsChannel = "Orders live in channels: I cannot be in a group direct message. Nothing was lost: choose a channel, or turn this conversation into a private channel and invite me there."

// fullMember is whom to ask for what one may not do; in a direct message and in the Home
// there is no channel.
func fullMember(channel string) string {
	if channel == "" {
		return "a full member of this workspace"
	}
	return "a full member of " + channelLink(channel)
}

// onlySees begins a sentence about what somebody may not do with orders, for the reason.
func onlySees(why order.Denial) string {
	who := "Guests"
	switch why {
	case order.DeniedExternal:
		who = "People of other organisations"
	case order.DeniedNoPerson:
		who = "Apps and accounts that are switched off"
	case order.DeniedUnsure:
		who = "Slack does not tell me whether you belong to this workspace, so you"
	}
	return who + " may look at orders but not "
}

// CannotApprove says why an order cannot be approved as it stands.
func CannotApprove(t store.Tracked) string {
	name := "*" + project(t) + "*"
	switch t.WhyNot(order.VerbApprove) {
	case order.ReasonGone:
		return name + isGone + "it cannot be approved. Nothing was changed."
	case order.ReasonClosed:
		return name + " is approved already. There is nothing left to do."
	case order.ReasonCanceled:
		return name + " was canceled, so there is nothing to approve."
	}
	return name + " is not ready for review (" + statusWords(t.Order.Status) + "). Nothing was changed: you are told in its channel when the images are ready."
}

// CannotRevise says why no changes can be asked for as an order stands.
func CannotRevise(t store.Tracked) string {
	name := "*" + project(t) + "*"
	switch t.WhyNot(order.VerbRevise) {
	case order.ReasonGone:
		return name + isGone + "no changes can be requested. Nothing was sent."
	case order.ReasonClosed:
		return name + " was approved, and an approved order is closed. Nothing was sent. For more work on these photos, place a new order: `/order new`"
	case order.ReasonCanceled:
		return name + " was canceled, so no changes can be requested. Nothing was sent."
	case order.ReasonRevising:
		return "Changes to *" + project(t) + "* are being made already. Nothing was sent: you are told in its channel when they are ready for review."
	}
	return name + " is not ready for review (" + statusWords(t.Order.Status) + "), so no changes can be requested yet. Nothing was sent: you are told in its channel when the images are ready."
}

// CannotName says that there is no image for which changes could be asked.
func CannotName(t store.Tracked) string {
	return "The service shows no edited image of *" + project(t) + "* by its ID, so no changes can be requested. Nothing was sent. Write to the editor instead: `/order message " + handle(t) + " …`"
}

// CannotCancel says why an order cannot be canceled as it stands.
func CannotCancel(t store.Tracked) string {
	name := "*" + project(t) + "*"
	switch t.WhyNot(order.VerbCancel) {
	case order.ReasonGone:
		return name + isGone + "it cannot be canceled. Nothing was changed."
	case order.ReasonCanceled:
		return name + " is canceled already. There is nothing left to do."
	case order.ReasonClosed:
		return name + " was approved and is closed, so it cannot be canceled. Nothing was changed."
	}
	return name + " cannot be canceled any more (" + statusWords(t.Order.Status) + "). Nothing was changed. You can still tell the editor: `/order message " + handle(t) + " …`"
}
