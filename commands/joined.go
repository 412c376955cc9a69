package commands

import (
	"context"
	"fmt"

	"darkroom/bot"
	"darkroom/jobs"
)

// joined hears that somebody came into a channel. When it is the app, what could not be
// told there is told now, rather than when the next try is due.
func (c *Commands) joined(ctx context.Context, r bot.Request) (bot.Reply, error) {
	var event struct {
		User    string `json:"user"`
		Channel string `json:"channel"`
	}
	if err := bot.Decode(r.Event, &event); err != nil {
		return bot.Reply{}, fmt.Errorf("joined: %w", err)
	}
	if event.User == "" || event.Channel == "" {
		return bot.Ack(), nil
	}
	c.slack.Forget(event.Channel, event.User)
	body := jobs.CatchUpArgs{Team: r.Team, Channel: event.Channel, User: event.User, Event: r.ID}
	return bot.Ack(), c.jobs.Put(ctx, jobs.JoinedJob, jobs.JoinedJob+":"+r.ID, jobs.JoinedJob+":"+r.Team+":"+event.Channel, body)
}
