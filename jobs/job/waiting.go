package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Waiting tells people that their jobs wait, and shows on an order's card what waits.
type Waiting struct {
	Kinds   *queue.Registry
	Queue   *queue.Queue
	Store   *store.Store
	Service Service
	Once    *Once
	Log     *slog.Logger
}

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
func (j *Waiting) beyond() time.Duration { return requestsOfTry*j.Service.Timeout() + beside }

// WaitNote is kept while an order's jobs wait for the service.
func WaitNote(order string) string { return "waits:" + order }

// Start notes that the jobs of an order wait, the next try being that far off, and
// tells those who stand behind the first and do not know.
func (j *Waiting) Start(ctx context.Context, d *queue.Delivery, id string, wait time.Duration) {
	life := wait + j.beyond()
	err := j.Store.Documents.PutTTL(ctx, WaitNote(id), true, life)
	behind, lost := j.Queue.Inspector().Behind(ctx, d.Lane, mostBehind)
	err = errors.Join(err, lost)
	if lost == nil {
		err = errors.Join(err, j.note(ctx, id, append([]queue.Job{d.Job}, behind...), life))
	}
	for _, job := range behind {
		err = errors.Join(err, j.NotifyBlocked(ctx, job))
	}
	if err != nil {
		j.Log.WarnContext(ctx, "not all who wait were told", "order", id, "err", err)
	}
}

// Stop ends what lineWaits began: the service has answered.
func (j *Waiting) Stop(ctx context.Context, order string, waits int) {
	if waits == 0 {
		return
	}
	if err := j.Store.Documents.Delete(ctx, WaitNote(order)); err != nil {
		j.Log.WarnContext(ctx, "order counts as waiting for a while", "order", order, "err", err)
	}
}

// waitsAs are the kinds of job whose waiting the order's card shows, and what they ask for.
var waitsAs = map[string]string{
	Approve: order.VerbApprove, Revise: order.VerbRevise, Cancel: order.VerbCancel,
	Message: order.VerbMessage, Relay: order.VerbMessage, Reference: order.VerbReference,
}

// note notes on an order which jobs of its lane wait, for its card.
func (j *Waiting) note(ctx context.Context, id string, lane []queue.Job, life time.Duration) error {
	var waits []store.Wait
	for _, job := range lane {
		if verb := waitsAs[job.Kind]; verb != "" {
			waits = append(waits, store.Wait{Verb: verb, Actor: j.Asker(ctx, job)})
		}
	}
	err := j.Store.Changes.NoteWaits(ctx, id, waits, time.Now().Add(life))
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	return err
}

// Ended takes from the order's card what waits, once the job that waited in front has ended, however.
// What stood behind it is done next, and is noted anew when it has to wait.
func (r *Run) Ended(ctx context.Context, order string, err error) error {
	if err == nil && r.Mark.Waits > 0 {
		r.Waiting.Ended(ctx, order)
	}
	return err
}

// Ended shows on an order's card that nothing waits in front any more.
func (j *Waiting) Ended(ctx context.Context, order string) {
	if err := j.note(ctx, order, nil, 0); err != nil {
		j.Log.WarnContext(ctx, "the card says for a while that something waits", "order", order, "err", err)
	}
}

// Died does the same for a job that can be done no more.
func (j *Waiting) Died(ctx context.Context, job queue.Job) {
	var body struct {
		Order string `json:"order"`
	}
	if waitsAs[job.Kind] != "" && json.Unmarshal(job.Body, &body) == nil && body.Order != "" {
		j.Ended(ctx, body.Order)
	}
}

// First tells whether nobody has told yet that this job waits.
func (j *Waiting) First(ctx context.Context, job string) bool {
	return j.Once.First(ctx, "later:"+Hash(job), 25*time.Hour)
}

// NotifyBlocked tells the person of a job that stands behind one that waits, once.
func (j *Waiting) NotifyBlocked(ctx context.Context, job queue.Job) error {
	k, _ := j.Kinds.Kind(job.Kind)
	if k.Blocked == nil || !j.First(ctx, job.ID) {
		return nil
	}
	if err := k.Blocked(ctx, &queue.Delivery{Job: job}); err != nil {
		return fmt.Errorf("job %s: %w", job.ID, err)
	}
	return nil
}

// Behind returns the jobs that stand behind this one in its lane.
func (j *Waiting) Behind(ctx context.Context, d *queue.Delivery) []queue.Job {
	behind, err := j.Queue.Inspector().Behind(ctx, d.Lane, mostBehind)
	if err != nil {
		j.Log.WarnContext(ctx, "not all who wait were told", "job", d.ID, "err", err)
	}
	return behind
}

// Asker is who asked for the job, "" when nobody did, or when that cannot be told.
func (j *Waiting) Asker(ctx context.Context, job queue.Job) string {
	var body struct {
		User  string `json:"user"`
		Draft string `json:"draft"`
	}
	k, _ := j.Kinds.Kind(job.Kind)
	if k.Asked == "" || k.Quiet(ctx, job) || json.Unmarshal(job.Body, &body) != nil {
		return ""
	}
	if body.User != "" {
		return body.User
	}
	draft, err := j.Store.Drafts.Draft(ctx, body.Draft)
	if err != nil {
		return ""
	}
	return draft.User
}
