package cards

import (
	"darkroom/cards/kit"
	"darkroom/store"
)

// NowTracked confirms that a channel tracks an order.
func NowTracked(t store.Tracked) kit.Message {
	return kit.NewPage(":white_check_mark: " + kit.ChannelLink(t.Owner.Channel) + " follows *" + Project(t) + "* now (" + status(t) + ").").
		Note("Its card is on its way into the channel. To stop: `/order untrack " + kit.Code(Handle(t)) + "`").Message()
}

// TrackedAlready says which channel tracks the order, to somebody who may know.
func TrackedAlready(t store.Tracked) kit.Message {
	return kit.NewPage("*" + Project(t) + "* is followed already, by " + kit.ChannelLink(t.Owner.Channel) + ". Nothing was changed.").
		Note("To hand it to another channel: `/order move " + kit.Code(Handle(t)) + " #channel`").Message()
}

// CannotTrack answers an unknown ID, and an order of a channel that this person cannot see. Both must read
// the same.
func CannotTrack(id string) kit.Message {
	return kit.Say("I cannot follow “" + kit.Inline(id, 60) + "” here: the service knows no such order, or a channel that you are not in follows it. " +
		"Nothing was changed. Check the ID with `/order list account`, or ask who made the order.")
}

// NowUntracked confirms that a channel no longer tracks an order.
func NowUntracked(t store.Tracked) kit.Message {
	return kit.NewPage(":white_check_mark: " + kit.ChannelLink(t.Owner.Channel) + " no longer follows *" + Project(t) + "*. The order itself goes on at the service, and its card and thread stay.").
		Note("To take it up again, in the channel that should follow it: `/order track " + kit.Code(t.ID) + "`").Message()
}

// NeedsID asks for the ID that a verb requires. example is a command with an ID.
func NeedsID(verb, example string) kit.Message {
	return kit.NewPage("Please name the order by the service's ID: `/order " + kit.Code(verb) + " ID`. For example: `/order " + kit.Code(example) + "`").
		Note("Operators find the IDs of all orders with `/order list account`.").Message()
}

// OperatorsOnly refuses an action on the whole account.
func OperatorsOnly(what string) kit.Message {
	return kit.Say("Only operators may " + kit.Inline(what, 100) + ". They are the workspace's admins, unless whoever runs me has named others. Nothing was changed: ask one of them.")
}

// AdminsOnly refuses an action on a workspace's account and data.
func AdminsOnly() kit.Message {
	return kit.Say("Only admins of this workspace may connect or disconnect its account, or decide about its data. Nothing was changed: ask one of them.")
}
