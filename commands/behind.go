package commands

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/jobs"
	"darkroom/store"
)

// A job that waits for the service holds its order's lane, and whoever stands behind it
// waits as well. They hear of it: who submits a form while it waits, at once; everybody
// else from the job in front, each time it has tried.

// lineReply acknowledges a form whose job was put: that it is on its way, or that it
// waits behind another.
func (c *Commands) lineReply(ctx context.Context, r bot.Request, job, order string, underWay, later slack.ModalViewRequest) (bot.Reply, error) {
	var waits bool
	if err := c.store.Noted(ctx, jobs.WaitNote(order), &waits); err != nil && !errors.Is(err, store.ErrNoNote) {
		return bot.Reply{}, err
	}
	if waits {
		underWay = later
		c.jobs.TellFirst(ctx, job)
	}
	return c.replyView(ctx, r, underWay)
}
