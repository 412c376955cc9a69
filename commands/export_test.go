package commands

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/jobs/job"
)

// What tests outside the package need of its inside.
const (
	ClickJob = clickJob
	AckView  = ackView
)

// ReplyView answers a submitted form with the next view of its window.
func (c *Commands) ReplyView(ctx context.Context, r bot.Request, v slack.ModalViewRequest) (bot.Reply, error) {
	return c.replyView(ctx, r, v)
}

// EmptyNewWindow is the window of the order form that a click opens, before it is filled.
func EmptyNewWindow(q bot.Request) string {
	return emptyWindow(newWindow(newDraft(q)) + ":" + job.Hash(q.ID))
}

// Fill takes the places of all looks, until they are given back.
func (c *Commands) Fill() (back func()) {
	c.looks.TryAcquire(looksAtOnce)
	return func() { c.looks.Release(looksAtOnce) }
}

// AckPatience is how long the acknowledgement of a line waits for its answer.
const AckPatience = ackPatience

// Help answers a line that asks for help, as a look.
func (c *Commands) Help(ctx context.Context, r bot.Request) error { return c.help(ctx, r) }
