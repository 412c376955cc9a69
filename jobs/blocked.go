package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/store/queue"
)

// A job that waits for the service holds its order's lane, and whoever stands behind it
// waits as well. They hear of it: who submits a form while it waits, at once; everybody
// else from the job in front, each time it has tried.

const (
	// mostBehind bounds how many of those who wait are told at one try.
	mostBehind = 50
	// beyond is how long after its next try an order still counts as waiting: a try may take as
	// long as the service's deadline.
	beyond = time.Minute
)

// WaitNote is kept while an order's jobs wait for the service.
func WaitNote(order string) string { return "waits:" + order }

// lineWaits notes that the jobs of an order wait, the next try being that far off, and
// tells those who stand behind the first and do not know.
func (j *Jobs) lineWaits(ctx context.Context, d *queue.Delivery, order string, wait time.Duration) {
	err := j.store.PutTTL(ctx, WaitNote(order), true, wait+beyond)
	behind, lost := j.queue.Behind(ctx, d.Lane, mostBehind)
	err = errors.Join(err, lost)
	for _, job := range behind {
		err = errors.Join(err, j.tellBlocked(ctx, job))
	}
	if err != nil {
		j.log.WarnContext(ctx, "not all who wait were told", "order", order, "err", err)
	}
}

// lineMoves ends what lineWaits began: the service has answered.
func (j *Jobs) lineMoves(ctx context.Context, order string, waits int) {
	if waits == 0 {
		return
	}
	if err := j.store.Delete(ctx, WaitNote(order)); err != nil {
		j.log.WarnContext(ctx, "order counts as waiting for a while", "order", order, "err", err)
	}
}

// TellFirst tells whether nobody has told yet that this job waits.
func (j *Jobs) TellFirst(ctx context.Context, job string) bool {
	return j.first(ctx, "later:"+Hash(job), 25*time.Hour)
}

// tellBlocked tells the person of a job that stands behind one that waits, once.
func (j *Jobs) tellBlocked(ctx context.Context, job queue.Job) error {
	k, _ := j.kinds.Kind(job.Kind)
	if k.Blocked == nil || !j.TellFirst(ctx, job.ID) {
		return nil
	}
	if err := k.Blocked(ctx, &queue.Delivery{Job: job}); err != nil {
		return fmt.Errorf("job %s: %w", job.ID, err)
	}
	return nil
}
