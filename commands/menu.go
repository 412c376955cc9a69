package commands

import (
	"context"
	"strings"

	"darkroom/bot"
	"darkroom/cards"
)

// menu does what an entry of a card's menu says: the verb it names, for the card's order.
func (c *Commands) menu(ctx context.Context, r bot.Request) error {
	name, value, _ := strings.Cut(r.Value, " ")
	r.Value = value
	for _, v := range c.verbs {
		if v.Verb == name {
			return v.run(ctx, r)
		}
	}
	return c.jobs.Tell(ctx, r, cards.Suggest(name, c.nearest(name), ""))
}
