package commands

import (
	"context"

	"darkroom/bot"
)

// submitImages takes a page of the order form's second step.
func (c *Commands) submitImages(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), errNotBuilt
}
