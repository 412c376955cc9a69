package cards

import (
	"slices"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Action ids of the buttons that follow an order and stop following it. Both carry a [Value].
const (
	ActionFollow   = "order:follow"
	ActionUnfollow = "order:unfollow"
)

// maxButtons is Slack's limit for a row of buttons (docs.slack.dev/reference/block-kit/blocks/actions-block).
const maxButtons = 25

// News tells a follower, or a requester whose channel sends news by direct message, what happened to an order. Unlike
// the thread's reply it asks nobody to act.
func News(t store.Tracked, e order.Event, follows bool, links Links) kit.Message {
	p := &kit.Page{}
	switch e.Kind {
	case order.EventReady:
		images := len(order.Latest(e.Order.EditedImages))
		p.Say("Ready for review: " + Project(t)).Say(kit.OnlyIf(images > 0, kit.Count(images, "edited photo", "edited photos")+" to review."))
	case order.EventPaused:
		addSaid(p, "Paused by the photo service: "+Project(t), e.Words)
	case order.EventReminder:
		p.Say("Reminder: " + Project(t)).Say(kit.Either((order.Known{Order: e.Order}).Paused(), "It is still paused.", "It waits for your review."))
	case order.EventMoved:
		p.Say("Moved " + kit.By(e.Actor) + ": " + Project(t)).Say(kit.ChannelLink(t.Owner.Channel) + " has the order now.")
	case order.EventUntracked:
		p.Say("Untracked " + kit.By(e.Actor) + ": " + Project(t)).Say("The order goes on at the photo service.")
	default:
		m := Reply(t, e, false, Thumbs{})
		p.Put(m.Blocks...)
		p.Words = append(p.Words, m.Text)
	}
	card := links.Card(t)
	p.Note(kit.OnlyIf(card != "", kit.Link(card, "Open order card")))
	switch {
	case !follows:
		return post(p.Buttons(ShowButton(t)), t, e.ID)
	case e.Ends():
		return post(p.Note("This was the last update about it.").Buttons(ShowButton(t)), t, e.ID)
	}
	return post(p.Buttons(ShowButton(t), unfollowButton(t)), t, e.ID)
}

func unfollowButton(t store.Tracked) slack.BlockElement {
	return OrderButton(t, "Unfollow", "Unfollow", ActionUnfollow, Value(t.ID, t.Order.Rev()))
}

// WithFollow adds the follow or unfollow button to a view of one order. said is the result of the last press,
// "" without one.
func WithFollow(blocks []slack.Block, t store.Tracked, user, said string) []slack.Block {
	button := followButton(t, user)
	if button == nil && said == "" {
		return blocks
	}
	var row []slack.BlockElement
	blocks = slices.Clone(blocks)
	if last := len(blocks) - 1; last >= 0 {
		if buttons, ok := blocks[last].(*slack.ActionBlock); ok && len(buttons.Elements.ElementSet) < maxButtons {
			row, blocks = buttons.Elements.ElementSet, blocks[:last]
		}
	}
	if t.Follows(user) && said == "" {
		said = following
	}
	if said != "" && len(blocks) < kit.MaxBlocks-1 {
		blocks = append(blocks, slack.NewContextBlock("", kit.Mrkdwn(said)))
	}
	if button != nil {
		row = append(slices.Clip(row), button)
	}
	if len(row) == 0 {
		return blocks
	}
	return append(blocks, slack.NewActionBlock("", row...))
}

const following = ":bell: You follow this order. Its updates come by direct message."

// followButton returns the button for user, or nil if the order has no more updates.
func followButton(t store.Tracked, user string) slack.BlockElement {
	if t.Follows(user) {
		return unfollowButton(t)
	}
	if !t.Followable() {
		return nil
	}
	return OrderButton(t, "Follow", "Follow", ActionFollow, Value(t.ID, t.Order.Rev()))
}

// Follows confirms that somebody follows an order.
func Follows(t store.Tracked) string {
	return ":bell: You follow *" + Project(t) + "*. What others do comes to you by direct message, until the order ends or you press *Unfollow*."
}

// FollowsNoMore confirms that somebody no longer follows an order. The zero order is one that they may not
// see.
func FollowsNoMore(t store.Tracked) string {
	name := kit.Either(t.ID != "", "*"+Project(t)+"*", "that order")
	return ":no_bell: You no longer follow " + name + "."
}

// FollowNot says why an order cannot be followed: it has too many followers, or it has ended.
func FollowNot(t store.Tracked, full bool) string {
	if full {
		return "*" + Project(t) + "* has the most followers it can have. Its thread has all updates."
	}
	return "*" + Project(t) + "* has ended. There is nothing left to follow."
}
