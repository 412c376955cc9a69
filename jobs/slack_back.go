package jobs

import (
	"context"
	"fmt"
	"time"

	"darkroom/cards/ops"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// Every replica notices an outage of Slack by itself, and its end within some seconds of the others. The first puts
// the one job that notifies operators.
const (
	slackBackDoc  = "slack-back"
	slackBackLife = 2 * time.Minute // outages that end within this time are one
)

// slackBackArgs is the body of the job that notifies the operations channel of an outage of Slack.
type slackBackArgs struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// SlackBack has the operations channel notified, once for all replicas, that Slack did not answer.
func (j *Jobs) SlackBack(ctx context.Context, from, to time.Time) error {
	body := slackBackArgs{from.UTC(), to.UTC()}
	first, err := j.store.Documents.PutIfAbsent(ctx, slackBackDoc, body, slackBackLife)
	if err != nil || !first {
		return err
	}
	err = j.Putter.Put(ctx, job.SlackBack, fmt.Sprintf("%s:%d", job.SlackBack, from.UnixNano()), "ops", body)
	if err != nil {
		j.Once.Forget(ctx, slackBackDoc) // another replica may succeed
	}
	return err
}

func (j *Jobs) notifySlackBack(ctx context.Context, _ *queue.Delivery, body slackBackArgs) error {
	_, err := j.Operators.Notify(ctx, ops.SlackBack(body.From, body.To))
	return err
}

func (j *Jobs) slackBackKind() queue.Declared {
	return queue.Kind[slackBackArgs]{Name: job.SlackBack, Work: j.notifySlackBack, Unasked: true}.Declare()
}
