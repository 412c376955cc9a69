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

// Where Slack lets an app read messages once a minute, such a search waits for its slot, perhaps for many minutes. The job that
// searches steps out of its channel's lane meanwhile, and takes along what it remembers: the channel's other orders
// are told of. Of the order that waits nothing is: what may be out comes first.

const (
	sameSlot = 10 * time.Second // in which the jobs of one order that wait for a turn end as one
	// readingLane begins the name of a lane in which one job alone waits for its turns.
	readingLane = "reading:"
)

// slotAfter returns the time until the slot that a read waits for, and names that moment.
func slotAfter(d *queue.Delivery, err error) (after time.Duration, due int64) {
	after, ok := client.RetryAfter(err)
	if !ok {
		after = tryAgain
	}
	return after, d.Now().Add(after).Unix() / int64(sameSlot/time.Second)
}

// awaitAlone moves a job that waits for its slot to read into a lane of its own. Any other error stays.
func (l later) awaitAlone(ctx context.Context, log *slog.Logger, d *queue.Delivery, err error) error {
	if !errors.Is(err, client.ErrReadTurn) || strings.HasPrefix(d.Lane, readingLane) {
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

// left is the state of a job: what it saved itself, else what the job before it left.
func left[S any](d *queue.Delivery) (s S, err error) {
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
