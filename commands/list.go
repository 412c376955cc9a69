package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
)

var listHelp = cards.HelpRow{
	Verb: "list", Usage: "list [status] [mine] [words…]", Does: "lists this channel's orders, newest first",
	Example: "list reviewing mine",
}

// list answers with a page of the channel's orders.
func (c *Commands) list(ctx context.Context, r bot.Request) error { return errNotBuilt }

// listPage is a button below a list: another page.
func (c *Commands) listPage(ctx context.Context, r bot.Request) error { return errNotBuilt }
