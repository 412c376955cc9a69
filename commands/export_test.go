package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/commands/answer"
	"darkroom/jobs/job"
)

// ClickJob is the kind of job of a click.
const ClickJob = clickJob

// EmptyNewWindow returns the id of a click's order form before it is filled.
func EmptyNewWindow(q bot.Request) string {
	return answer.EmptyWindow(newWindow(newDraft(q)) + ":" + job.Hash(q.ID))
}

// Fill takes all slots of read-only requests until back is called.
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

// AckPatience is the time that a line's acknowledgement waits for the answer.
const AckPatience = answer.AckPatience

// Help answers a help line like a read-only request.
func (c *Commands) Help(ctx context.Context, r bot.Request) error {
	return c.features.help.help(ctx, r)
}
