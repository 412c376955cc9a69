package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store/queue"
)

const reviseJob = "revise"

var reviseHelp = cards.HelpRow{
	Verb: "revise", Usage: "revise [ID]", Does: "asks for changes, image by image or for all of them",
	Example: "revise K7Q2XM",
}

func (c *Commands) openRevise(ctx context.Context, r bot.Request) error { return errNotBuilt }

func (c *Commands) submitRevise(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), errNotBuilt
}

func (c *Commands) revise(ctx context.Context, d *queue.Delivery) error { return errNotBuilt }

// pageBack shows the page before, in a form of several.
func (c *Commands) pageBack(ctx context.Context, r bot.Request) error { return errNotBuilt }
