package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
)

var showHelp = cards.HelpRow{
	Verb: "show", Usage: "show [ID]", Does: "shows an order with its edited images and its history",
	Example: "show K7Q2XM",
}

// show answers with one order, as far as this person may see it.
func (c *Commands) show(ctx context.Context, r bot.Request) error {
	t, _, found, err := c.meant(ctx, r, "show", nil)
	if err != nil || !found {
		return err
	}
	events, err := c.store.Events(ctx, t.ID)
	if err != nil {
		return err
	}
	can := Verbs()
	if act, err := c.mayAct(ctx, r, t); err != nil || !act {
		can = nil // a guest sees no buttons
	}
	return c.tell(ctx, r, cards.Show(t, events, can, true, now()))
}
