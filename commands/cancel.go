package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store/queue"
)

const cancelJob = "cancel"

var cancelHelp = cards.HelpRow{
	Verb: "cancel", Usage: "cancel [ID] [reason]", Does: "cancels an order soon after it was placed",
	Example: "cancel K7Q2XM the wrong photos",
}

func (c *Commands) openCancel(ctx context.Context, r bot.Request) error { return errNotBuilt }

func (c *Commands) submitCancel(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), errNotBuilt
}

func (c *Commands) cancel(ctx context.Context, d *queue.Delivery) error { return errNotBuilt }
