package commands

import (
	"context"

	"darkroom/bot"
)

// submitImages takes a page of the order form's second step.
func (c *Commands) submitImages(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), errNotBuilt
}

// imagesBack shows the page before in the order form's second step.
func (c *Commands) imagesBack(ctx context.Context, r bot.Request) error { return errNotBuilt }
