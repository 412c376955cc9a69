package commands

import (
	"context"

	"darkroom/bot"
)

// followed is for a button that is a link: the browser has opened it, and Slack asks only that it is
// heard.
func (c *Commands) followed(context.Context, bot.Request) error { return nil }
