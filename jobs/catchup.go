package jobs

import (
	"context"

	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// CatchUpArgs is the body of the job that announces what happened while the app was not in a channel.
type CatchUpArgs struct {
	Team    string `json:"team"`
	Channel string `json:"channel"`
	User    string `json:"user"`
	Event   string `json:"event"`
}

// catchUp announces in a channel that the app itself joined.
func (j *Jobs) catchUp(ctx context.Context, _ *queue.Delivery, args CatchUpArgs) error {
	me, err := j.slack.Identity(ctx)
	if err != nil || args.User != me.BotUser {
		return err
	}
	return j.store.Announcements.AnnounceChannel(ctx, args.Team, args.Channel, job.Joined+":"+args.Event)
}

func (j *Jobs) catchUpKind() queue.Declared {
	return queue.Kind[CatchUpArgs]{Name: job.Joined, Unasked: true, Work: j.catchUp}.Declare()
}
