package jobs

import (
	"context"
	"encoding/json"

	"darkroom/store/queue"
)

const JoinedJob = "joined"

// CatchUpArgs is the body of that job.
type CatchUpArgs struct {
	Team    string `json:"team"`
	Channel string `json:"channel"`
	User    string `json:"user"`
	Event   string `json:"event"`
}

// catchUp announces what a channel was not told, if it is the app that came in.
func (j *Jobs) catchUp(ctx context.Context, d *queue.Delivery) error {
	var args CatchUpArgs
	if err := json.Unmarshal(d.Body, &args); err != nil {
		return queue.Dead(err)
	}
	me, err := j.slack.Identity(ctx)
	if err != nil || args.User != me.BotUser {
		return err
	}
	return j.store.AnnounceChannel(ctx, args.Team, args.Channel, JoinedJob+":"+args.Event)
}
