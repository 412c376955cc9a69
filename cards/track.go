package cards

import "darkroom/store"

// Followed says that a channel follows an order that was made elsewhere.
func Followed(t store.Tracked) Message {
	return says(":white_check_mark: " + channelLink(t.Owner.Channel) + " follows *" + project(t) + "* now (" + status(t) + ").").
		note("Its card is on its way into the channel. To stop: `/order untrack " + code(handle(t)) + "`").message()
}

// FollowedAlready says which channel follows the order already, to somebody who may know.
func FollowedAlready(t store.Tracked) Message {
	return says("*" + project(t) + "* is followed already, by " + channelLink(t.Owner.Channel) + ". Nothing was changed.").
		note("To hand it to another channel: `/order move " + code(handle(t)) + " #channel`").message()
}

// CannotFollow is said of an order that the service does not know, and of one that a
// channel follows which this person cannot see: both must read the same.
func CannotFollow(id string) Message {
	return Say("I cannot follow “" + inline(id, 60) + "” here: the service knows no such order, or a channel that you are not in follows it. " +
		"Nothing was changed. Check the ID with `/order list account`, or ask who made the order.")
}

// Unfollowed says that a channel no longer follows an order, and how to take it up again.
func Unfollowed(t store.Tracked) Message {
	return says(":white_check_mark: " + channelLink(t.Owner.Channel) + " no longer follows *" + project(t) + "*. The order itself goes on at the service, and its card and thread stay.").
		note("To take it up again, in the channel that should follow it: `/order track " + code(t.ID) + "`").message()
}

// NeedsID asks for the id that a verb cannot do without; example is a line that has one.
func NeedsID(verb, example string) Message {
	return says("Please name the order by the service's ID: `/order " + code(verb) + " ID`. For example: `/order " + code(example) + "`").
		note("Operators find the IDs of all orders with `/order list account`.").message()
}

// OperatorsOnly refuses what concerns the whole account; the same for every order.
func OperatorsOnly(what string) Message {
	return Say("Only operators may " + inline(what, 100) + ". They are the workspace's admins, unless whoever runs me has named others. Nothing was changed: ask one of them.")
}

// AdminsOnly refuses what only admins of a workspace may do with its account and data.
func AdminsOnly() Message {
	return Say("Only admins of this workspace may connect or disconnect its account, or decide about its data. Nothing was changed: ask one of them.")
}
