package cards

import (
	"slices"

	"github.com/slack-go/slack"

	"darkroom/order"
	"darkroom/store"
)

// Action ids of the buttons that begin and end that somebody is told of an order's events by direct message;
// both carry a [Value].
const (
	ActionFollow   = "order:follow"
	ActionUnfollow = "order:unfollow"
)

// maxButtons is how many buttons stand in a row.
// Slack: docs.slack.dev/reference/block-kit/blocks/actions-block.
const maxButtons = 25

// News tells somebody who follows an order what happened to it, as its thread does, without what asks others to act.
func News(t store.Tracked, e order.Event, links Links) Message {
	p := &builder{}
	switch e.Kind {
	case order.EventReady:
		images := len(Latest(e.Order.EditedImages))
		p.say("Ready for review: " + project(t)).say(onlyIf(images > 0, count(images, "edited image", "edited images")+" to look at."))
	case order.EventPaused:
		p.said("Paused by the service: "+project(t), e.Words)
	case order.EventMoved:
		p.say("Moved " + by(e.Actor) + ": " + project(t)).say(channelLink(t.Owner.Channel) + " has the order now.")
	case order.EventUntracked:
		p.say("Untracked " + by(e.Actor) + ": " + project(t)).say("The order itself goes on at the service.")
	default:
		m := Reply(t, e, false, Thumbs{})
		p.put(m.Blocks...)
		p.words = append(p.words, m.Text)
	}
	if card := links.Card(t); card != "" {
		p.note(link(card, "Go to the order's card"))
	}
	if e.Ends() {
		return p.note("This was the last news of it.").buttons(showButton(t)).post(t, e.ID)
	}
	return p.buttons(showButton(t), unfollowButton(t)).post(t, e.ID)
}

func unfollowButton(t store.Tracked) slack.BlockElement {
	return pressOf(t, "Unfollow", "Unfollow", ActionUnfollow, Value(t.ID, t.Order.Rev()))
}

// WithFollow adds to what shows an order to one person the button that has them told of its news, or ends that.
// said is what they just read of it; "": nothing.
func WithFollow(blocks []slack.Block, t store.Tracked, user, said string) []slack.Block {
	button := followButton(t, user)
	if button == nil && said == "" {
		return blocks
	}
	var row []slack.BlockElement
	blocks = slices.Clone(blocks)
	if last := len(blocks) - 1; last >= 0 {
		if buttons, is := blocks[last].(*slack.ActionBlock); is && len(buttons.Elements.ElementSet) < maxButtons {
			row, blocks = buttons.Elements.ElementSet, blocks[:last]
		}
	}
	if _, follows := t.Follower(user); follows && said == "" {
		said = following
	}
	if said != "" && len(blocks) < maxBlocks-1 {
		blocks = append(blocks, slack.NewContextBlock("", mrkdwn(said)))
	}
	if button != nil {
		row = append(slices.Clip(row), button)
	}
	if len(row) == 0 {
		return blocks
	}
	return append(blocks, slack.NewActionBlock("", row...))
}

const following = ":bell: You follow this order: its news comes to you by direct message."

// followButton is what somebody can press there; nil: nothing, as there will be no news.
func followButton(t store.Tracked, user string) slack.BlockElement {
	if _, follows := t.Follower(user); follows {
		return unfollowButton(t)
	}
	if !t.Followable() {
		return nil
	}
	return pressOf(t, "Follow", "Follow", ActionFollow, Value(t.ID, t.Order.Rev()))
}

// Follows says to somebody that they follow an order now.
func Follows(t store.Tracked) string {
	return ":bell: You follow *" + project(t) + "* now: what others do to it comes to you by direct message, until you press *Unfollow* or the order has ended."
}

// FollowsNoMore says that they do not any more; of an order that is not theirs to see, the zero one, its name is not said.
func FollowsNoMore(t store.Tracked) string {
	name := "that order"
	if t.ID != "" {
		name = "*" + project(t) + "*"
	}
	return ":no_bell: You no longer follow " + name + "."
}

// FollowNot says why an order cannot be followed: so many people follow it as may, or else it has ended.
func FollowNot(t store.Tracked, full bool) string {
	if full {
		return "*" + project(t) + "* is followed by so many people that no more fit. Its thread has all its news."
	}
	return "*" + project(t) + "* has ended: there will be no news to follow."
}
