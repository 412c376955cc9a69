package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
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

// waitNote is kept while an order's jobs wait for the service.
func waitNote(order string) string { return "waits:" + order }

// lineWaits notes that the jobs of an order wait, the next try being that far off, and
// tells those who stand behind the first and do not know.
func (c *Commands) lineWaits(ctx context.Context, d *queue.Delivery, order string, wait time.Duration) {
	err := c.store.Note(ctx, waitNote(order), true, wait+beyond)
	behind, lost := c.queue.Behind(ctx, d.Lane, mostBehind)
	err = errors.Join(err, lost)
	for _, job := range behind {
		err = errors.Join(err, c.tellBehind(ctx, job))
	}
	if err != nil {
		c.log.WarnContext(ctx, "not all who wait were told", "order", order, "err", err)
	}
}

// lineMoves ends what lineWaits began: the service has answered.
func (c *Commands) lineMoves(ctx context.Context, order string, waits int) {
	if waits == 0 {
		return
	}
	if err := c.store.DropNote(ctx, waitNote(order)); err != nil {
		c.log.WarnContext(ctx, "order counts as waiting for a while", "order", order, "err", err)
	}
}

// lineReply acknowledges a form whose job was put: that it is on its way, or that it
// waits behind another.
func (c *Commands) lineReply(ctx context.Context, r bot.Request, job, order string, underWay, later slack.ModalViewRequest) (bot.Reply, error) {
	var waits bool
	if err := c.store.Noted(ctx, waitNote(order), &waits); err != nil && !errors.Is(err, store.ErrNoNote) {
		return bot.Reply{}, err
	}
	if waits {
		underWay = later
		c.tellFirst(ctx, job)
	}
	return c.replyView(ctx, r, underWay)
}

// tellFirst tells whether nobody has told yet that this job waits.
func (c *Commands) tellFirst(ctx context.Context, job string) bool {
	first, err := c.store.NoteOnce(ctx, "later:"+hash(job), true, 25*time.Hour)
	if err != nil {
		c.log.WarnContext(ctx, "may be told twice", "job", job, "err", err)
	}
	return first || err != nil
}

// tellBehind tells the person of a job that stands behind one that waits, once.
func (c *Commands) tellBehind(ctx context.Context, job queue.Job) error {
	tell := c.kinds[job.Kind].behind
	if tell == nil || !c.tellFirst(ctx, job.ID) {
		return nil
	}
	if err := tell(ctx, &queue.Delivery{Job: job}); err != nil {
		return fmt.Errorf("job %s: %w", job.ID, err)
	}
	return nil
}

func (c *Commands) changeBehind(ctx context.Context, d *queue.Delivery, verb changeVerb) (err error) {
	a := &attempt{d: d, verb: verb}
	if err := a.load(); err != nil {
		return err
	}
	if a.order, err = c.store.Order(ctx, a.body.Order); err != nil {
		return err
	}
	return c.showAnswer(ctx, a.window(), verb.later(a))
}

func (c *Commands) letterBehind(ctx context.Context, d *queue.Delivery) error {
	var body messaging
	err := json.Unmarshal(d.Body, &body)
	return errors.Join(err, c.errandBehind(ctx, &errand{d: d, asker: body.asker, cargo: letter{c, body}}, body.Order))
}

func (c *Commands) picturesBehind(ctx context.Context, d *queue.Delivery) error {
	var body referencing
	err := json.Unmarshal(d.Body, &body)
	return errors.Join(err, c.errandBehind(ctx, &errand{d: d, asker: body.asker, cargo: pictures{c, body}}, body.Order))
}

func (c *Commands) parcelBehind(ctx context.Context, d *queue.Delivery) error {
	var body relaying
	if err := json.Unmarshal(d.Body, &body); err != nil || body.Private {
		return err
	}
	text, ours, err := c.wordsOf(ctx, body)
	if err != nil || ours || text == "" || private(text) && !body.Asked {
		return err
	}
	e := &errand{d: d, asker: body.asker, cargo: parcel{c, body}}
	e.state.Text = text
	return c.errandBehind(ctx, e, body.Order)
}

func (c *Commands) errandBehind(ctx context.Context, e *errand, order string) (err error) {
	if e.order, err = c.store.Order(ctx, order); err != nil {
		return err
	}
	return e.cargo.later(ctx, e)
}

func (c *Commands) moveBehind(ctx context.Context, d *queue.Delivery) error {
	var body moving
	if err := json.Unmarshal(d.Body, &body); err != nil {
		return err
	}
	return c.answer(ctx, body.window(), cards.MoveLater(body.View))
}
