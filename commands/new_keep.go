package commands

import (
	"context"

	"darkroom/bot"
)

// keepTyped keeps what is being typed into an order form, on the ack path.
func (c *Commands) keepTyped(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), nil
}

// closeNew is an order form that was closed.
func (c *Commands) closeNew(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), nil
}
