package jobs

import (
	"context"
	"fmt"

	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// Died tells the person who acted that their job could not be done, and its final outcome. The job stays among the dead
// letters, with all text, until an operator decides. Died fails if it makes sense to notify the person later.
func (j *Jobs) Died(ctx context.Context, l queue.DeadLetter) error {
	j.Waiting.Died(ctx, l.Job)
	k, _ := j.kinds.Kind(l.Kind)
	if k.Died(ctx, l) {
		return nil
	}
	user := j.Waiting.Asker(ctx, l.Job)
	if user == "" {
		return nil
	}
	text := fmt.Sprintf("I could not finish your request (%s), and have stopped trying. %s "+
		"Your text is saved. Give your Darkroom admin error code *%s*.",
		k.Asked, k.Truth(l), job.ShortRef(l.ID))
	err := j.Messages.Send(ctx, user, kit.SayWith(text, k.Typed(l.Job)))
	switch {
	case err == nil:
		return nil
	case answers.WorthRetrying(err):
		j.log.Log(ctx, client.LogLevel(err), "person is told of a dead job later", "job", l.ID, "user", user, "err", err)
		return fmt.Errorf("tell %s: %w", user, err)
	}
	j.log.ErrorContext(ctx, "person not told of a dead job", "job", l.ID, "user", user, "err", err)
	return nil
}
