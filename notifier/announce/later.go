package announce

import (
	"context"
	"encoding/json"
	"time"

	"darkroom/store"
	"darkroom/store/queue"
)

// Later puts a job that becomes due later.
type Later interface {
	PutAfter(ctx context.Context, job queue.Job, delay time.Duration) (bool, error)
}

// later puts jobs into the queue.
type later struct{ queue Later }

// put leaves a job for later.
func (l later) put(ctx context.Context, job queue.Job, body any, after time.Duration) error {
	var err error
	if job.Body, err = json.Marshal(body); err != nil {
		return err
	}
	_, err = l.queue.PutAfter(ctx, job, after)
	return err
}

// again puts another announcement of this order into this lane for later.
func (l later) again(ctx context.Context, a *announcement, id string, job store.AnnounceJob, after time.Duration) error {
	job.Order, job.Generation = a.id, a.generation
	return l.put(ctx, queue.Job{ID: id, Lane: a.job.Lane, Kind: store.AnnounceKind}, job, after)
}
