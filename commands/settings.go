package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
)

var settingsHelp = cards.HelpRow{
	Verb: "settings", Usage: "settings", Does: "sets which thread replies of this channel reach the editor",
	Example: "settings",
}

func (c *Commands) openSettings(ctx context.Context, r bot.Request) error { return errNotBuilt }

func (c *Commands) submitSettings(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), errNotBuilt
}
