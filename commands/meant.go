package commands

import (
	"context"
	"errors"
	"strings"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// meant finds the order a click or a line is about, among those the person may see.
// When it answers the person itself, found is false.
func (c *Commands) meant(ctx context.Context, r bot.Request, fits func(store.Tracked) bool) (t store.Tracked, found bool, err error) {
	id := orderID(r)
	if id == "" {
		return c.onlyOne(ctx, r, fits)
	}
	t, err = c.visible(ctx, r, id)
	if errors.Is(err, errNotFound) {
		return t, false, c.tell(ctx, r, cards.Say(cards.NotFound(id)))
	}
	return t, err == nil, err
}

// visible is the order of that id or reference, when the person may see it.
func (c *Commands) visible(ctx context.Context, r bot.Request, id string) (store.Tracked, error) {
	t, err := c.store.Find(ctx, id)
	if errors.Is(err, store.ErrNotTracked) {
		return t, errNotFound
	}
	if err != nil {
		return t, err
	}
	see, err := c.maySee(ctx, r, t)
	if err != nil && !outage(err) {
		c.log.WarnContext(ctx, "members not known, so the order is hidden", "order", t.ID, "err", err)
		return t, errNotFound
	}
	if err == nil && !see {
		err = errNotFound
	}
	return t, err
}

// pickFrom is how many of a channel's newest orders are considered when no id is given.
const pickFrom = 50

// onlyOne is the channel's order when exactly one fits; else the person picks.
func (c *Commands) onlyOne(ctx context.Context, r bot.Request, fits func(store.Tracked) bool) (store.Tracked, bool, error) {
	orders, total, err := c.store.InChannel(ctx, r.Team, r.Channel, 0, pickFrom)
	if err != nil {
		return store.Tracked{}, false, err
	}
	var fitting []store.Tracked
	for _, t := range orders {
		see, err := c.maySee(ctx, r, t)
		if err != nil {
			return t, false, err
		}
		if see && fits(t) {
			fitting = append(fitting, t)
		}
	}
	if len(fitting) == 1 && total <= pickFrom {
		return fitting[0], true, nil
	}
	return store.Tracked{}, false, c.tell(ctx, r, cards.Orders(r.Verb, fitting, len(fitting), Verbs()))
}

// orderID is the id on the button or the first word of the line.
func orderID(r bot.Request) string {
	if id, _, ok := cards.ParseValue(r.Value); ok {
		return id
	}
	id, _, _ := strings.Cut(strings.TrimSpace(r.Args), " ")
	return strings.Trim(id, "`[]#")
}
