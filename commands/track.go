package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
)

var trackHelp = cards.HelpRow{
	Verb: "track", Usage: "track ID", Does: "lets this channel own an order made elsewhere (operators)",
	Example: "track 84521",
}

func (c *Commands) track(ctx context.Context, r bot.Request) error { return errNotBuilt }
