package commands

import (
	"context"
	"errors"
	"strings"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
)

var trackHelp = cards.HelpRow{
	Verb: "track", Usage: "track ID", Does: "tracks an order from elsewhere in this channel",
	Example: "track 84521", Operators: true,
}

// tracking decides which channel tracks an order, and who its requester is.
type tracking struct {
	service     Service
	store       *store.Store
	jobs        *jobs.Jobs
	access      *access.Control
	finder      *resolve.Finder
	guard       *answer.Guard
	answers     *answer.Messages
	windows     *answer.Windows
	submissions *submissions
}

// track makes the channel track an order that was made elsewhere.
func (c *tracking) track(ctx context.Context, r bot.Request) error {
	if err := c.guard.OperatorsOnly(ctx, r, "track orders from elsewhere"); err != nil {
		return err
	}
	first, _ := resolve.FirstWord(r.Args)
	id := strings.Trim(first, resolve.NameMarks)
	if named, _, pressed := cards.ParseValue(r.Value); pressed {
		id = named
	}
	channel := answer.OriginChannel(r)
	switch {
	case id == "":
		return c.answers.Send(ctx, r, cards.NeedsID("track", trackHelp.Example))
	case channel == "":
		return c.answers.Send(ctx, r, kit.Say("A channel tracks orders. Type `"+Slash+" track` in that channel."))
	}
	why, err := c.access.WhyNotPost(ctx, r.User, channel)
	if err := answer.CannotPost(channel, why, "", err); err != nil {
		return err
	}
	return c.follows(ctx, r, channel, id)
}

// follows adds the order to the channel, unless a channel tracks it already. An unknown order and a hidden one get the
// same answer: neither reveals that the other exists.
func (c *tracking) follows(ctx context.Context, r bot.Request, channel, id string) error {
	t, err := c.store.Orders.Find(ctx, id)
	if errors.Is(err, store.ErrNotTracked) {
		t, err = c.adopt(ctx, r, channel, id)
	} else if err == nil {
		return c.followedAlready(ctx, r, t, id)
	}
	switch {
	case errors.Is(err, order.ErrInvalidOrder):
		return c.answers.Send(ctx, r, cards.CannotTrack(id))
	case err != nil:
		return err
	case t.Owner.Channel != channel || t.Owner.Team != r.Team: // another request was first
		return c.followedAlready(ctx, r, t, id)
	}
	c.jobs.Home.Changed(ctx, r.Team, r.User)
	return c.answers.Send(ctx, r, cards.NowTracked(t))
}

func (c *tracking) adopt(ctx context.Context, r bot.Request, channel, id string) (store.Tracked, error) {
	order, err := c.service.Fetch(ctx, id)
	if err != nil {
		return store.Tracked{}, err
	}
	if order.ID == "" {
		order.ID = id
	}
	return c.store.Changes.AddOrder(ctx, store.NewOrder{
		ID: order.ID, Owner: store.Owner{Team: r.Team, Channel: channel, Requester: r.User},
		Order: order, Adopted: true, Shown: true,
	})
}

func (c *tracking) followedAlready(ctx context.Context, r bot.Request, t store.Tracked, id string) error {
	see, err := c.access.CanSee(ctx, r, t)
	if err != nil {
		return err
	}
	if !see {
		return c.answers.Send(ctx, r, cards.CannotTrack(id))
	}
	if t, err = c.jobs.Orders.RefetchGoneBriefly(ctx, t); err != nil {
		return err
	}
	return c.answers.Send(ctx, r, cards.TrackedAlready(t))
}
