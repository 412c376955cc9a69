package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store/queue"
)

// ShortcutSend is the callback id of the message shortcut *Send to editor*.
const ShortcutSend = "send_to_editor"

const messageJob = "message"

var messageHelp = cards.HelpRow{
	Verb: "message", Usage: "message [ID] text…", Does: "sends a message to the order's editor",
	Example: "message K7Q2XM Please keep the shadows soft.",
}

func (c *Commands) message(ctx context.Context, r bot.Request) error { return errNotBuilt }

func (c *Commands) sendToEditor(ctx context.Context, r bot.Request) error { return errNotBuilt }

func (c *Commands) submitMessage(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), errNotBuilt
}

func (c *Commands) sendMessage(ctx context.Context, d *queue.Delivery) error { return errNotBuilt }
