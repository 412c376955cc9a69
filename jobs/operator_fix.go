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

// A missing permission or a refused token is for an operator to fix. The job waits meanwhile; its person
// and the operators are notified.

// waitForFix puts the job off. It notifies, once each, the operators, the person, and those whose jobs stand behind it.
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
			j.notifyWaitsForFix(ctx, job, known, false) // one that was revived may have sent something
		}
	}
	return queue.Wait(min(5*time.Second<<min(d.Deliveries-1, 4), time.Minute))
}

// notifyWaitsForFix notifies the person of a job that waits, once. known says that operators know, unsent that nothing of
// the job was sent.
func (j *Jobs) notifyWaitsForFix(ctx context.Context, waits queue.Job, known, unsent bool) {
	j.notifyWaits(ctx, waits, fixNote(waits.ID), answers.FixPatience, func(_, asked string) (kit.Message, error) {
		return ops.MustWait(asked, known, unsent), nil
	})
}

// fixNote names the document that the person of a job was notified of its wait.
func fixNote(id string) string { return "mend:" + job.Hash(id) }

// notifyWaits sends the person of a job that waits a direct message, unless the document of that name says that it was sent.
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
