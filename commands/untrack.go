package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
)

var untrackHelp = cards.HelpRow{
	Verb: "untrack", Usage: "untrack ID", Does: "stops following an order here (operators)",
	Example: "untrack K7Q2XM",
}

func (c *Commands) untrack(ctx context.Context, r bot.Request) error { return errNotBuilt }
