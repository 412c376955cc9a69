package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/store/queue"
)

const relayJob = "relay"

// mentioned is the app's name in a message: in an order's thread it sends that message
// to the editor.
func (c *Commands) mentioned(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), nil
}

// heard is any message in a channel that the app is in.
func (c *Commands) heard(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), nil
}

func (c *Commands) relay(ctx context.Context, d *queue.Delivery) error { return errNotBuilt }

func (c *Commands) correct(ctx context.Context, r bot.Request) error { return errNotBuilt }

func (c *Commands) attach(ctx context.Context, r bot.Request) error { return errNotBuilt }
