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

// Waiting notifies people that their jobs wait, and shows the waiting jobs on the order's card.
type Waiting struct {
	Kinds   *queue.Registry
	Queue   *queue.Queue
	Store   *store.Store
	Service Service
	Once    *Once
	Log     *slog.Logger
}

// A job that waits for the service blocks its order's lane. People who submit a form meanwhile are notified at once.
// The first job notifies all others behind it, after each of its tries.

const (
	// maxBehind bounds the people who are notified at one try.
	maxBehind = 50
	// requestsOfTry bounds the requests of one try: a read, which the client repeats three times, and the write.
	requestsOfTry = 4 + 1
	// tryPause bounds the rest of a try: the client pauses for up to 15 seconds before it repeats a read.
	tryPause = time.Minute
)

// tryTime is how long an order still counts as waiting after its next try begins. That is the longest try with a
// service that hangs, so that the order counts as waiting during the try, too.
func (j *Waiting) tryTime() time.Duration { return requestsOfTry*j.Service.Timeout() + tryPause }

// WaitDoc names the document that exists while an order's jobs wait for the service.
func WaitDoc(order string) string { return "waits:" + order }

// Start saves that the jobs of an order wait for the next try, and notifies the people behind the first job once.
func (j *Waiting) Start(ctx context.Context, d *queue.Delivery, id string, wait time.Duration) {
	life := wait + j.tryTime()
	err := j.Store.Documents.PutTTL(ctx, WaitDoc(id), true, life)
	behind, lost := j.Queue.Inspector().Behind(ctx, d.Lane, maxBehind)
	err = errors.Join(err, lost)
	if lost == nil {
		err = errors.Join(err, j.note(ctx, id, j.waitsOf(ctx, append([]queue.Job{d.Job}, behind...)), life))
	}
	for _, job := range behind {
		err = errors.Join(err, j.NotifyBlocked(ctx, job))
	}
	if err != nil {
		j.Log.WarnContext(ctx, "not all who wait were told", "order", id, "err", err)
	}
}

// Stop deletes the document of Start, once the service has answered.
func (j *Waiting) Stop(ctx context.Context, order string, waits int) {
	if waits == 0 {
		return
	}
	if err := j.Store.Documents.Delete(ctx, WaitDoc(order)); err != nil {
		j.Log.WarnContext(ctx, "order counts as waiting for a while", "order", order, "err", err)
	}
}

// waitingVerbs maps the kinds of job that an order's card shows as waiting to their verbs.
var waitingVerbs = map[string]string{
	Approve: order.VerbApprove, Revise: order.VerbRevise, Cancel: order.VerbCancel,
	Message: order.VerbMessage, Relay: order.VerbMessage, Reference: order.VerbReference,
}

// Begin shows on an order's card and review that the job is under way. Their buttons leave.
func (j *Waiting) Begin(ctx context.Context, d *queue.Delivery, id string) error {
	waits := j.waitsOf(ctx, []queue.Job{d.Job})
	waits[0].Begun = true
	return j.note(ctx, id, waits, j.tryTime())
}

// waitsOf returns the jobs that an order's card shows as waiting.
func (j *Waiting) waitsOf(ctx context.Context, lane []queue.Job) (waits []store.Wait) {
	for _, job := range lane {
		if verb := waitingVerbs[job.Kind]; verb != "" {
			waits = append(waits, store.Wait{Verb: verb, Actor: j.Asker(ctx, job)})
		}
	}
	return waits
}

// note saves on an order what waits, for its card.
func (j *Waiting) note(ctx context.Context, id string, waits []store.Wait, life time.Duration) error {
	err := j.Store.Changes.NoteWaits(ctx, id, waits, time.Now().Add(life))
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	return err
}

// Ended removes the waiting jobs from the order's card, once the first job has ended with err nil. The next job is
// shown again if it has to wait.
func (r *Run) Ended(ctx context.Context, order string, err error) error {
	if err == nil && r.Mark.Waits > 0 {
		r.Waiting.Ended(ctx, order)
	}
	return err
}

// Ended removes the waiting jobs from an order's card.
func (j *Waiting) Ended(ctx context.Context, order string) {
	if err := j.note(ctx, order, nil, 0); err != nil {
		j.Log.WarnContext(ctx, "the card says for a while that something waits", "order", order, "err", err)
	}
}

// Died does the same for a dead letter.
func (j *Waiting) Died(ctx context.Context, job queue.Job) {
	var body struct {
		Order string `json:"order"`
	}
	if waitingVerbs[job.Kind] != "" && json.Unmarshal(job.Body, &body) == nil && body.Order != "" {
		j.Ended(ctx, body.Order)
	}
}

// First reports whether the person was not yet notified that this job waits.
func (j *Waiting) First(ctx context.Context, job string) bool {
	return j.Once.First(ctx, "later:"+Hash(job), 25*time.Hour)
}

// NotifyBlocked notifies the person of a job behind a waiting one, once.
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

// Behind returns the jobs behind this one in its lane.
func (j *Waiting) Behind(ctx context.Context, d *queue.Delivery) []queue.Job {
	behind, err := j.Queue.Inspector().Behind(ctx, d.Lane, maxBehind)
	if err != nil {
		j.Log.WarnContext(ctx, "waiting jobs not read", "job", d.ID, "err", err)
	}
	return behind
}

// Asker returns the user who asked for the job, or "" if unknown.
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
