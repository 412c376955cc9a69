package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"darkroom/cards"
	"darkroom/store/queue"
)

// A job that waits for the service holds its order's lane, and whoever stands behind it
// waits as well. They hear of it: who submits a form while it waits, at once; everybody
// else from the job in front, each time it has tried.

const (
	// mostBehind bounds how many are told at one try.
	mostBehind = 50
	// beyond the next try an order counts as waiting for this long: a try may take as long
	// as the service's deadline.
	beyond = time.Minute
)

// WaitNote is kept while an order's jobs wait for the service.
func WaitNote(order string) string { return "waits:" + order }

// lineWaits notes that the jobs of an order wait, the next try being that far off, and
// tells those who stand behind the first and do not know.
func (j *Jobs) lineWaits(ctx context.Context, d *queue.Delivery, order string, wait time.Duration) {
	err := j.store.Note(ctx, WaitNote(order), true, wait+beyond)
	behind, lost := j.queue.Behind(ctx, d.Lane, mostBehind)
	err = errors.Join(err, lost)
	for _, job := range behind {
		err = errors.Join(err, j.TellBlocked(ctx, job))
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
	if err := j.store.DropNote(ctx, WaitNote(order)); err != nil {
		j.log.WarnContext(ctx, "order counts as waiting for a while", "order", order, "err", err)
	}
}

// TellFirst tells whether nobody has told yet that this job waits.
func (j *Jobs) TellFirst(ctx context.Context, job string) bool {
	first, err := j.store.NoteOnce(ctx, "later:"+Hash(job), true, 25*time.Hour)
	if err != nil {
		j.log.WarnContext(ctx, "may be told twice", "job", job, "err", err)
	}
	return first || err != nil
}

// tellBehind tells the person of a job that stands behind one that waits, once.
func (j *Jobs) TellBlocked(ctx context.Context, job queue.Job) error {
	tell := j.kinds[job.Kind].behind
	if tell == nil || !j.TellFirst(ctx, job.ID) {
		return nil
	}
	if err := tell(ctx, &queue.Delivery{Job: job}); err != nil {
		return fmt.Errorf("job %s: %w", job.ID, err)
	}
	return nil
}

func (j *Jobs) changeBlocked(ctx context.Context, d *queue.Delivery, verb changeVerb) (err error) {
	a := &attempt{d: d, verb: verb}
	if err := a.load(); err != nil {
		return err
	}
	if a.order, err = j.store.Order(ctx, a.body.Order); err != nil {
		return err
	}
	return j.showAnswer(ctx, a.window(), verb.later(a))
}

func (j *Jobs) messageBlocked(ctx context.Context, d *queue.Delivery) error {
	var body MessageArgs
	err := json.Unmarshal(d.Body, &body)
	return errors.Join(err, j.outboundBlocked(ctx, &outbound{d: d, asker: body.Asker, payload: messagePayload{j, body}}, body.Order))
}

func (j *Jobs) referenceBlocked(ctx context.Context, d *queue.Delivery) error {
	var body ReferenceArgs
	err := json.Unmarshal(d.Body, &body)
	return errors.Join(err, j.outboundBlocked(ctx, &outbound{d: d, asker: body.Asker, payload: referencePayload{j, body}}, body.Order))
}

func (j *Jobs) relayBlocked(ctx context.Context, d *queue.Delivery) error {
	var body RelayArgs
	if err := json.Unmarshal(d.Body, &body); err != nil || body.Private {
		return err
	}
	text, ours, err := j.wordsOf(ctx, body)
	if err != nil || ours || text == "" || Private(text) && !body.Asked {
		return err
	}
	e := &outbound{d: d, asker: body.Asker, payload: relayPayload{j, body}}
	e.state.Text = text
	return j.outboundBlocked(ctx, e, body.Order)
}

func (j *Jobs) outboundBlocked(ctx context.Context, e *outbound, order string) (err error) {
	if e.order, err = j.store.Order(ctx, order); err != nil {
		return err
	}
	return e.payload.later(ctx, e)
}

func (j *Jobs) moveBlocked(ctx context.Context, d *queue.Delivery) error {
	var body MoveArgs
	if err := json.Unmarshal(d.Body, &body); err != nil {
		return err
	}
	return j.Answer(ctx, body.window(), cards.MoveLater(body.View))
}
