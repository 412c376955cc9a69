package jobs

import (
	"context"
	"fmt"
	"time"

	"darkroom/cards/ops"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// Every replica notices an outage of Slack by itself, and its end within some seconds of the others;
// whichever is the first puts the one job that tells of it.
const (
	slackBackNote = "slack-back"
	slackBackLife = 2 * time.Minute // what ends within that of another's end is the same outage
)

// slackBackArgs is the body of the job that tells the operations channel of an outage of Slack.
type slackBackArgs struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// SlackBack has the operations channel told, once for all replicas, that Slack did not answer.
func (j *Jobs) SlackBack(ctx context.Context, from, to time.Time) error {
	body := slackBackArgs{from.UTC(), to.UTC()}
	first, err := j.store.Documents.PutIfAbsent(ctx, slackBackNote, body, slackBackLife)
	if err != nil || !first {
		return err
	}
	err = j.Putter.Put(ctx, job.SlackBack, fmt.Sprintf("%s:%d", job.SlackBack, from.UnixNano()), "ops", body)
	if err != nil {
		j.Once.Forget(ctx, slackBackNote) // another replica may have better luck
	}
	return err
}

// tellSlackBack tells the operations channel.
func (j *Jobs) tellSlackBack(ctx context.Context, _ *queue.Delivery, body slackBackArgs) error {
	_, err := j.Operators.Notify(ctx, ops.SlackBack(body.From, body.To))
	return err
}

func (j *Jobs) slackBackKind() queue.Declared {
	return queue.Kind[slackBackArgs]{Name: job.SlackBack, Work: j.tellSlackBack, Unasked: true}.Declare()
}
