package events

import (
	"context"
	"fmt"

	"darkroom/bot"
	"darkroom/bot/lenient"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
)

// Members hears who joins and leaves channels.
type Members struct {
	slack answers.Slack
	jobs  *jobs.Jobs
}

// NewMembers makes the handler from what it uses.
func NewMembers(slack answers.Slack, jobs *jobs.Jobs) *Members {
	return &Members{slack: slack, jobs: jobs}
}

// Joined hears that somebody came into a channel. When it is the app, what could not be
// told there is told now, rather than when the next try is due.
func (c *Members) Joined(ctx context.Context, r bot.Request) (bot.Reply, error) {
	user, channel, err := c.whoAndWhere(r)
	if err != nil || user == "" {
		return bot.Ack(), err
	}
	body := jobs.CatchUpArgs{Team: r.Team, Channel: channel, User: user, Event: r.ID}
	return bot.Ack(), c.jobs.Putter.Put(ctx, job.Joined, job.Joined+":"+r.ID, job.Joined+":"+r.Team+":"+channel, body)
}

// Left hears that somebody went out of a channel: what is known of its members is wrong from
// now on, and their Home shows its orders no more. Before a write Slack is asked again in any
// case: only one of several replicas hears this.
func (c *Members) Left(ctx context.Context, r bot.Request) (bot.Reply, error) {
	user, channel, err := c.whoAndWhere(r)
	if err != nil || user == "" {
		return bot.Ack(), err
	}
	_, opened, err := c.jobs.Home.State(ctx, r.Team, user)
	if err != nil || !opened {
		return bot.Ack(), err
	}
	return bot.Ack(), c.jobs.Home.Put(ctx, job.Home+":"+r.ID, jobs.HomeArgs{Team: r.Team, User: user, LeftChannel: channel})
}

// whoAndWhere is who came or went, and where; both are empty when the event does not tell.
func (c *Members) whoAndWhere(r bot.Request) (user, channel string, err error) {
	var event struct {
		User    string `json:"user"`
		Channel string `json:"channel"`
	}
	if err := lenient.Decode(r.Event, &event); err != nil {
		return "", "", fmt.Errorf("%s: %w", r.Name, err)
	}
	if event.User == "" || event.Channel == "" {
		return "", "", nil
	}
	c.slack.Forget(event.Channel, event.User)
	return event.User, event.Channel, nil
}
