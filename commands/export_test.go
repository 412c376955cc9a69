package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/commands/answer"
	"darkroom/jobs/job"
)

// What tests outside the package need of its inside.
const ClickJob = clickJob

// EmptyNewWindow is the window of the order form that a click opens, before it is filled.
func EmptyNewWindow(q bot.Request) string {
	return answer.EmptyWindow(newWindow(newDraft(q)) + ":" + job.Hash(q.ID))
}

// Fill takes all places of read-only requests, until they are given back.
func (c *Commands) Fill() (back func()) {
	var ends []func()
	for end, ok := c.readOnly.Begin(); ok; end, ok = c.readOnly.Begin() {
		ends = append(ends, end)
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}
}

// AckPatience is how long the acknowledgement of a line waits for its answer.
const AckPatience = answer.AckPatience

// Help answers a line that asks for help, as a look.
func (c *Commands) Help(ctx context.Context, r bot.Request) error {
	return c.features.help.help(ctx, r)
}
