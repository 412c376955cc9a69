package announce

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"darkroom/bot/client"
	"darkroom/store"
	"darkroom/store/queue"
)

// Later puts a job that becomes due later.
type Later interface {
	PutAfter(ctx context.Context, job queue.Job, delay time.Duration) (bool, error)
}

// later puts jobs into the queue with a delay.
type later struct{ queue Later }

// put puts a job with a body.
func (l later) put(ctx context.Context, job queue.Job, body any, after time.Duration) error {
	var err error
	if job.Body, err = json.Marshal(body); err != nil {
		return err
	}
	_, err = l.queue.PutAfter(ctx, job, after)
	return err
}

// again puts another announcement of this order into its lane.
func (l later) again(ctx context.Context, a *announcement, id string, job store.AnnounceJob, after time.Duration) error {
	job.Order, job.Generation = a.id, a.generation
	return l.put(ctx, queue.Job{ID: id, Lane: a.job.Lane, Kind: store.AnnounceKind}, job, after)
}

// updateBatch puts the job that updates a batch's card; batch "" means no batch.
func (l later) updateBatch(ctx context.Context, d *queue.Delivery, team, channel, batch string) error {
	if batch == "" {
		return nil
	}
	job, after := store.BatchUpdate(team, channel, batch, d.Now())
	_, err := l.queue.PutAfter(ctx, job, after)
	return err
}

// If Slack limits reading to once a minute, a search may wait many minutes for its slot. The job then
// leaves its channel's lane and takes its state along, so the channel's other orders continue. The waiting
// order announces nothing meanwhile: a post with an unknown outcome comes first.

const (
	sameSlot = 10 * time.Second // within it, one order's jobs that wait for a slot become one
	// readingLane is the prefix of a lane in which one job waits for its slots.
	readingLane = "reading:"
)

// slotAfter returns the time until the slot that a read waits for, and a number for that moment.
func slotAfter(d *queue.Delivery, err error) (after time.Duration, due int64) {
	after, ok := client.RetryAfter(err)
	if !ok {
		after = tryAgain
	}
	return after, d.Now().Add(after).Unix() / int64(sameSlot/time.Second)
}

// awaitAlone moves a job that waits for its slot to read into a lane of its own. It returns other errors
// unchanged.
func (l later) awaitAlone(ctx context.Context, log *slog.Logger, d *queue.Delivery, err error) error {
	if !errors.Is(err, client.ErrNoReadSlot) || strings.HasPrefix(d.Lane, readingLane) {
		return postponed(ctx, log, err)
	}
	after, _ := slotAfter(d, err)
	body := map[string]json.RawMessage{}
	if err := json.Unmarshal(d.Body, &body); err != nil {
		return err
	}
	if d.State != nil {
		body["left"] = d.State
	}
	job := queue.Job{ID: d.ID + ":read", Lane: readingLane + d.ID, Kind: d.Kind}
	return postponed(ctx, log, l.put(ctx, job, body, after))
}

// savedState returns a job's own state, or else the state that the previous job passed on.
func savedState[S any](d *queue.Delivery) (s S, err error) {
	if len(d.State) > 0 {
		return queue.State[S](d)
	}
	var body struct {
		EarlierState *S `json:"left"`
	}
	if err := json.Unmarshal(d.Body, &body); err != nil {
		return s, queue.Dead(fmt.Errorf("job %s: what it goes on from: %w", d.ID, err))
	}
	if body.EarlierState != nil {
		s = *body.EarlierState
	}
	return s, nil
}
