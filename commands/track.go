package commands

import (
	"context"
	"errors"
	"strings"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

var trackHelp = cards.HelpRow{
	Verb: "track", Usage: "track ID", Does: "lets this channel follow an order made elsewhere",
	Example: "track 84521", Operators: true,
}

// track lets the channel own an order that was made elsewhere.
func (c *Commands) track(ctx context.Context, r bot.Request) error {
	if err := c.operatorsOnly(ctx, r, "let a channel follow an order made elsewhere"); err != nil {
		return err
	}
	first, _ := firstWord(r.Args)
	id := strings.Trim(first, nameMarks)
	if named, _, pressed := cards.ParseValue(r.Value); pressed {
		id = named
	}
	channel := originChannel(r)
	switch {
	case id == "":
		return c.tell(ctx, r, cards.NeedsID("track", trackHelp.Example))
	case channel == "":
		return c.tell(ctx, r, cards.Say("An order is followed by a channel. Type `"+Slash+" track` in the channel that should follow it."))
	}
	why, err := c.access.WhyNotPost(ctx, r.User, channel)
	if err := cannotPost(channel, why, "", err); err != nil {
		return err
	}
	return c.follows(ctx, r, channel, id)
}

// follows places the order in the channel, unless one has it already. An order that the
// service does not know and one that a channel follows which this person may not see
// are answered alike: neither tells that the other exists.
func (c *Commands) follows(ctx context.Context, r bot.Request, channel, id string) error {
	t, err := c.store.Find(ctx, id)
	if errors.Is(err, store.ErrNotTracked) {
		t, err = c.takeOver(ctx, r, channel, id)
	} else if err == nil {
		return c.followedAlready(ctx, r, t, id)
	}
	switch {
	case errors.Is(err, order.ErrInvalidOrder):
		return c.tell(ctx, r, cards.CannotFollow(id))
	case err != nil:
		return err
	case t.Owner.Channel != channel || t.Owner.Team != r.Team: // somebody else was first
		return c.followedAlready(ctx, r, t, id)
	}
	c.jobs.Home.Changed(ctx, r.Team, r.User)
	return c.tell(ctx, r, cards.Followed(t))
}

func (c *Commands) takeOver(ctx context.Context, r bot.Request, channel, id string) (store.Tracked, error) {
	order, err := c.service.Fetch(ctx, id)
	if err != nil {
		return store.Tracked{}, err
	}
	if order.ID == "" {
		order.ID = id
	}
	return c.store.AddOrder(ctx, store.NewOrder{
		ID: order.ID, Owner: store.Owner{Team: r.Team, Channel: channel, Requester: r.User},
		Order: order, Adopted: true, Shown: true,
	})
}

func (c *Commands) followedAlready(ctx context.Context, r bot.Request, t store.Tracked, id string) error {
	see, err := c.access.CanSee(ctx, r, t)
	if err != nil {
		return err
	}
	if !see {
		return c.tell(ctx, r, cards.CannotFollow(id))
	}
	if t, err = c.jobs.Orders.LookAgain(ctx, t); err != nil {
		return err
	}
	return c.tell(ctx, r, cards.FollowedAlready(t))
}
