package commands

import (
	"context"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/jobs"
)

// Approve, revise and cancel follow one rule. The order is fetched. While it still is as
// the person saw it (status, revision, the very pictures), the change is sent, again if need
// be; once it shows the change with our intent, it is done; anything else is told to the
// person, their words kept.

// putChange puts the job of a submitted form, once for each submission, and answers
// that it is on its way, or that it waits for its turn.
func (c *Commands) putChange(ctx context.Context, r bot.Request, kind string, body jobs.ChangeArgs, underWay, later slack.ModalViewRequest) (bot.Reply, error) {
	body.Team, body.User, body.View, body.At = r.Team, r.User, r.View.ExternalID, time.Now()
	id := kind + ":" + r.ID
	if err := c.jobs.Put(ctx, kind, id, "order:"+body.Order, body); err != nil {
		return bot.Reply{}, err
	}
	return c.lineReply(ctx, r, id, body.Order, underWay, later)
}
