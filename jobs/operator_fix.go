package jobs

import (
	"context"
	"time"

	"darkroom/cards/kit"
	"darkroom/cards/ops"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// waitForFix makes a job wait while an operator fixes a missing permission or a refused token. It notifies, once each,
// the operators, the job's person, and the persons of the jobs behind it.
func (j *Jobs) waitForFix(ctx context.Context, d *queue.Delivery, err error) error {
	j.log.WarnContext(ctx, "job waits until an operator mends what slack refuses", "job", d.ID, "kind", d.Kind, "err", err)
	if d.Now().Sub(d.PutAt) > answers.FixPatience {
		return queue.Dead(err)
	}
	known := j.Operators.NotifyRefusal(ctx, err)
	k, _ := j.kinds.Kind(d.Kind)
	j.notifyWaitsForFix(ctx, d.Job, known, k.Asked != "" && k.Truth(queue.DeadLetter{Job: d.Job, State: d.State}) == job.NothingSent)
	for _, job := range j.Waiting.Behind(ctx, d) {
		if k, _ := j.kinds.Kind(job.Kind); k.Blocked != nil {
			j.notifyWaitsForFix(ctx, job, known, false) // a revived job may have sent something
		}
	}
	return queue.Wait(min(5*time.Second<<min(d.Deliveries-1, 4), time.Minute))
}

// notifyWaitsForFix notifies the person of a waiting job once. known says that the operators know, unsent that nothing
// of the job was sent.
func (j *Jobs) notifyWaitsForFix(ctx context.Context, waits queue.Job, known, unsent bool) {
	j.notifyWaits(ctx, waits, fixDoc(waits.ID), answers.FixPatience, func(_, asked string) (kit.Message, error) {
		return ops.MustWait(asked, known, unsent), nil
	})
}

// fixDoc names the document that marks the job's person as notified.
func fixDoc(id string) string { return "mend:" + job.Hash(id) }

// notifyWaits sends the person of a waiting job a direct message, unless the document of that name marks it as sent.
func (j *Jobs) notifyWaits(ctx context.Context, waits queue.Job, name string, life time.Duration, text func(user, asked string) (kit.Message, error)) {
	user := j.Waiting.Asker(ctx, waits)
	if user == "" || !j.Once.First(ctx, name, life) {
		return
	}
	k, _ := j.kinds.Kind(waits.Kind)
	m, err := text(user, k.Asked)
	if err == nil {
		err = j.Messages.Send(ctx, user, m)
	}
	if err != nil {
		j.log.ErrorContext(ctx, "person not told that the job waits", "job", waits.ID, "user", user, "err", err)
		if answers.WorthRetrying(err) {
			j.Once.Forget(ctx, name)
		}
	}
}
