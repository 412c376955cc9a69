package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store/queue"
)

// ShortcutReference is the callback id of the message shortcut *Add as reference*.
const ShortcutReference = "add_reference"

const referenceJob = "reference"

var referenceHelp = cards.HelpRow{
	Verb: "reference", Usage: "reference [ID] urls…", Does: "adds reference images to an order",
	Example: "reference K7Q2XM https://example.com/mood.jpg",
}

func (c *Commands) reference(ctx context.Context, r bot.Request) error { return errNotBuilt }

func (c *Commands) addReference(ctx context.Context, r bot.Request) error { return errNotBuilt }

func (c *Commands) submitReference(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), errNotBuilt
}

func (c *Commands) sendReference(ctx context.Context, d *queue.Delivery) error { return errNotBuilt }
