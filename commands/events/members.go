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

// Members handles people who join and leave channels.
type Members struct {
	slack answers.Slack
	jobs  *jobs.Jobs
}

// NewMembers returns the handler.
func NewMembers(slack answers.Slack, jobs *jobs.Jobs) *Members {
	return &Members{slack: slack, jobs: jobs}
}

// Joined handles a person who joined a channel. If it is the app, announcements that failed there are sent now, before
// their next retry.
func (c *Members) Joined(ctx context.Context, r bot.Request) (bot.Reply, error) {
	user, channel, err := c.forgetMember(r)
	if err != nil || user == "" {
		return bot.Ack(), err
	}
	body := jobs.CatchUpArgs{Team: r.Team, Channel: channel, User: user, Event: r.ID}
	return bot.Ack(), c.jobs.Putter.Put(ctx, job.Joined, job.Joined+":"+r.ID, job.Joined+":"+r.Team+":"+channel, body)
}

// Left handles a person who left a channel: the person's Home is redrawn without the channel's orders. Other replicas keep
// their cached members. So every action that changes something checks membership with Slack again.
func (c *Members) Left(ctx context.Context, r bot.Request) (bot.Reply, error) {
	user, channel, err := c.forgetMember(r)
	if err != nil || user == "" {
		return bot.Ack(), err
	}
	_, opened, err := c.jobs.Home.State(ctx, r.Team, user)
	if err != nil || !opened {
		return bot.Ack(), err
	}
	return bot.Ack(), c.jobs.Home.Put(ctx, job.Home+":"+r.ID, jobs.HomeArgs{Team: r.Team, User: user, LeftChannel: channel})
}

// forgetMember drops what is cached about the event's person in its channel, and returns both; "" for both if the event
// lacks one.
func (c *Members) forgetMember(r bot.Request) (user, channel string, err error) {
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
