package cards

import (
	"darkroom/cards/kit"
	"darkroom/store"
)

// NowTracked confirms that a channel tracks an order.
func NowTracked(t store.Tracked) kit.Message {
	return kit.NewPage(":white_check_mark: " + kit.ChannelLink(t.Owner.Channel) + " tracks *" + Project(t) + "* now (" + status(t) + ").").
		Note("Its card is on its way into the channel. To stop: `/order untrack " + kit.Code(Handle(t)) + "`").Message()
}

// TrackedAlready says which channel tracks the order, to somebody who may know.
func TrackedAlready(t store.Tracked) kit.Message {
	return kit.NewPage("*" + Project(t) + "* is already tracked, in " + kit.ChannelLink(t.Owner.Channel) + ". Nothing was changed.").
		Note("To move it to another channel: `/order move " + kit.Code(Handle(t)) + " #channel`").Message()
}

// CannotTrack answers an unknown ID, and an order of a channel that this person cannot see. Both must read
// the same.
func CannotTrack(id string) kit.Message {
	return kit.Say("I cannot track “" + kit.Inline(id, 60) + "”. The photo service has no such order, or a channel that you are not in tracks it. " +
		"Nothing was changed. Check the ID with `/order list account`, or ask who made the order.")
}

// NowUntracked confirms that a channel no longer tracks an order.
func NowUntracked(t store.Tracked) kit.Message {
	return kit.NewPage(":white_check_mark: " + kit.ChannelLink(t.Owner.Channel) + " no longer tracks *" + Project(t) + "*. The order goes on at the photo service. Its card and thread stay.").
		Note("To track it again, type this in the channel: `/order track " + kit.Code(t.ID) + "`").Message()
}

// NeedsID asks for the ID that a verb requires. example is a command with an ID.
func NeedsID(verb, example string) kit.Message {
	return kit.NewPage("Name the order by the photo service's ID: `/order " + kit.Code(verb) + " ID`. For example: `/order " + kit.Code(example) + "`").
		Note("Operators find the IDs of all orders with `/order list account`.").Message()
}

// OperatorsOnly refuses an action on the whole account.
func OperatorsOnly(what string) kit.Message {
	return kit.Say("Only operators may " + kit.Inline(what, 100) + ". They are the workspace's admins, unless your Darkroom admin has named others. Nothing was changed. Ask one of them.")
}

// AdminsOnly refuses an action on a workspace's account and data.
func AdminsOnly() kit.Message {
	return kit.Say("Only workspace admins may connect or disconnect its account, or decide about its data. Nothing was changed. Ask one of them.")
}
