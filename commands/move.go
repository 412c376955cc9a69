package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
)

var moveHelp = cards.HelpRow{
	Verb: "move", Usage: "move ID #channel", Does: "hands an order over to another channel (operators)",
	Example: "move K7Q2XM #weddings",
}

func (c *Commands) move(ctx context.Context, r bot.Request) error { return errNotBuilt }

func (c *Commands) submitMove(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), errNotBuilt
}
