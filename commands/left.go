package commands

import (
	"context"
	"fmt"

	"darkroom/bot"
	"darkroom/jobs"
)

// left hears that somebody went out of a channel: what is known of its members is wrong from
// now on, and their Home shows its orders no more. Before a deed Slack is asked again in any
// case: only one of several replicas hears this.
func (c *Commands) left(ctx context.Context, r bot.Request) (bot.Reply, error) {
	var event struct {
		User    string `json:"user"`
		Channel string `json:"channel"`
	}
	if err := bot.Decode(r.Event, &event); err != nil {
		return bot.Reply{}, fmt.Errorf("left: %w", err)
	}
	if event.User == "" || event.Channel == "" {
		return bot.Ack(), nil
	}
	c.slack.Forget(event.Channel, event.User)
	_, opened, err := c.jobs.HomeState(ctx, r.Team, event.User)
	if err != nil || !opened {
		return bot.Ack(), err
	}
	return bot.Ack(), c.jobs.PutHome(ctx, jobs.HomeJob+":"+r.ID, jobs.HomeArgs{Team: r.Team, User: event.User, Left: event.Channel})
}
