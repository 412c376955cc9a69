package commands

import (
	"context"
	"encoding/json"
	"fmt"

	"darkroom/bot"
	"darkroom/store/queue"
)

const joinedJob = "joined"

// joining is the body of that job.
type joining struct {
	Team    string `json:"team"`
	Channel string `json:"channel"`
	User    string `json:"user"`
	Event   string `json:"event"`
}

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
	body := joining{Team: r.Team, Channel: event.Channel, User: event.User, Event: r.ID}
	return bot.Ack(), c.put(ctx, joinedJob, joinedJob+":"+r.ID, joinedJob+":"+r.Team+":"+event.Channel, body)
}

// catchUp announces what a channel was not told, if it is the app that came in.
func (c *Commands) catchUp(ctx context.Context, d *queue.Delivery) error {
	var j joining
	if err := json.Unmarshal(d.Body, &j); err != nil {
		return queue.Dead(err)
	}
	me, err := c.slack.Identity(ctx)
	if err != nil || j.User != me.BotUser {
		return err
	}
	return c.store.AnnounceChannel(ctx, j.Team, j.Channel, joinedJob+":"+j.Event)
}
