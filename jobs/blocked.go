package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// A job that waits for the service holds its order's lane, and whoever stands behind it
// waits as well. They hear of it: who submits a form while it waits, at once; everybody
// else from the job in front, each time it has tried.

const (
	// mostBehind bounds how many of those who wait are told at one try.
	mostBehind = 50
	// requestsOfTry is how many requests to the service one try may consist of: a read, which the
	// client repeats three times, and the write.
	requestsOfTry = 4 + 1
	// beside is what a try may take besides them: the client pauses for up to 15 seconds before it
	// repeats a read.
	beside = time.Minute
)

// beyond is how long after its next try is due an order still counts as waiting: as long as that try
// may take with a service that hangs. Else nobody would know, in the middle of each, that it waits.
func (j *Jobs) beyond() time.Duration { return requestsOfTry*j.service.Timeout() + beside }

// WaitNote is kept while an order's jobs wait for the service.
func WaitNote(order string) string { return "waits:" + order }

// lineWaits notes that the jobs of an order wait, the next try being that far off, and
// tells those who stand behind the first and do not know.
func (j *Jobs) lineWaits(ctx context.Context, d *queue.Delivery, id string, wait time.Duration) {
	life := wait + j.beyond()
	err := j.store.PutTTL(ctx, WaitNote(id), true, life)
	behind, lost := j.queue.Inspector().Behind(ctx, d.Lane, mostBehind)
	err = errors.Join(err, lost)
	if lost == nil {
		err = errors.Join(err, j.noteWaits(ctx, id, append([]queue.Job{d.Job}, behind...), life))
	}
	for _, job := range behind {
		err = errors.Join(err, j.tellBlocked(ctx, job))
	}
	if err != nil {
		j.log.WarnContext(ctx, "not all who wait were told", "order", id, "err", err)
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

// waitsAs are the kinds of job whose waiting the order's card shows, and what they ask for.
var waitsAs = map[string]string{
	ApproveJob: order.VerbApprove, ReviseJob: order.VerbRevise, CancelJob: order.VerbCancel,
	MessageJob: order.VerbMessage, RelayJob: order.VerbMessage, ReferenceJob: order.VerbReference,
}

// noteWaits notes on an order which jobs of its lane wait, for its card.
func (j *Jobs) noteWaits(ctx context.Context, id string, lane []queue.Job, life time.Duration) error {
	var waits []store.Wait
	for _, job := range lane {
		if verb := waitsAs[job.Kind]; verb != "" {
			waits = append(waits, store.Wait{Verb: verb, Actor: j.asker(ctx, job)})
		}
	}
	err := j.store.NoteWaits(ctx, id, waits, time.Now().Add(life))
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	return err
}

// ended takes from the order's card what waits, once the job that waited in front has ended, however.
// What stood behind it is done next, and is noted anew when it has to wait.
func (r *run) ended(ctx context.Context, order string, err error) error {
	if err == nil && r.mark.Waits > 0 {
		r.lineEnds(ctx, order)
	}
	return err
}

func (j *Jobs) lineEnds(ctx context.Context, order string) {
	if err := j.noteWaits(ctx, order, nil, 0); err != nil {
		j.log.WarnContext(ctx, "the card says for a while that something waits", "order", order, "err", err)
	}
}

// lineDied does the same for a job that can be done no more.
func (j *Jobs) lineDied(ctx context.Context, job queue.Job) {
	var body struct {
		Order string `json:"order"`
	}
	if waitsAs[job.Kind] != "" && json.Unmarshal(job.Body, &body) == nil && body.Order != "" {
		j.lineEnds(ctx, body.Order)
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
