package jobs

import (
	"context"
	"errors"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

// How approving, requesting changes and canceling are sent, and how they end.

// transmit leaves the intent on the order and sends the change.
func (c *changeRun) transmit(ctx context.Context) error {
	if c.kept.Sends >= mostSends {
		return c.unsettled(ctx)
	}
	intent := c.verb.intent(c)
	intent.Verb, intent.Revision = c.verb.does, c.body.Revision
	switch goes, err := c.Intend(ctx, c.order.ID, c.body.User, intent); {
	case err != nil:
		return err
	case !goes:
		return c.hidden(ctx)
	}
	return job.SendMarked(ctx, c)
}

func (c *changeRun) Send(ctx context.Context) (order.Order, error) { return c.verb.send(c, ctx) }

// Done records the service's answer; when the poller was faster there is nothing left to record.
func (c *changeRun) Done(ctx context.Context, answer order.Order) error {
	t, _, err := c.change.store.Changes.RecordAnswer(ctx, c.order.ID, c.order.Version, answer, c.Delivery.ID)
	switch {
	case err == nil:
		c.order = t
	case errors.Is(err, store.ErrStale):
		err = c.refetch(ctx)
	}
	if err != nil {
		return err
	}
	return c.succeeded(ctx)
}

// succeeded is the good end.
func (c *changeRun) succeeded(ctx context.Context) error {
	c.change.home.Changed(ctx, c.body.Team, c.body.User)
	return c.say(ctx, changeDone)
}

// Unsent takes back the intent of what never left, and waits.
func (c *changeRun) Unsent(ctx context.Context, why error) error {
	if c.kept.Sends == 0 {
		if err := c.ClearIntent(ctx, c.order.ID); err != nil {
			return err
		}
	}
	return c.later(ctx, why)
}

// Refused looks once more when the refusal may have another reason than it says:
// an earlier send arrived, or somebody else changed the order meanwhile.
func (c *changeRun) Refused(ctx context.Context, why error) error {
	again := c.kept.Sends > 1
	if !again { // nothing of ours is out: what happened meanwhile is somebody else's
		if err := c.ClearIntent(ctx, c.order.ID); err != nil {
			return err
		}
		c.kept.Sends = 0
	}
	if again || errors.Is(why, order.ErrInvalidStatus) {
		if err := c.refetch(ctx); err != nil {
			return c.later(ctx, err)
		}
		if told, err := c.tellIfEnded(ctx); told || err != nil {
			return err
		}
	}
	c.kept.Problems, c.kept.TooLate = job.Problems(why), errors.Is(why, order.ErrDeadlinePassed)
	return c.end(ctx)
}

// later waits for a service that does not answer.
func (c *changeRun) later(ctx context.Context, why error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(why, store.ErrNotTracked):
		return c.hidden(ctx)
	case errors.Is(why, order.ErrInvalidOrder) && c.kept.Sends > 0:
		if c.kept.Unseen++; c.kept.Unseen >= mostSends {
			return c.unsettled(ctx) // it may be carried out, whatever the looks say
		}
	case errors.Is(why, order.ErrInvalidOrder):
		return c.unknownToService(ctx, why)
	case !errors.Is(why, order.ErrUnavailable) && !errors.Is(why, order.ErrUnknown):
		return why
	}
	wait, mayBeOut := job.RetryAfter(why, c.kept.Waits), c.kept.Phase == job.Sending
	if left := c.mayArrive(); left > 0 {
		wait = min(wait, left)
	}
	return c.PutOff(ctx, c.body.Order, wait, mayBeOut, func(ctx context.Context) error {
		if mayBeOut {
			return c.say(ctx, changeUnsettled)
		}
		return c.say(ctx, changeWaits)
	})
}

// unknownToService says to who still sees the order that the service does not know it: nothing was sent.
func (c *changeRun) unknownToService(ctx context.Context, why error) error {
	see, err := c.change.access.CanSee(ctx, c.body.AsRequest(), c.order)
	switch {
	case err != nil:
		return err
	case !see:
		return c.hidden(ctx)
	}
	c.kept.Problems = job.Problems(why)
	return c.end(ctx)
}

// hidden answers that there is no such order: it is gone, or this person may not see it.
func (c *changeRun) hidden(ctx context.Context) error {
	c.kept.Denied, c.kept.Hidden = cards.NotFound(c.body.Order), true
	return c.end(ctx)
}

// end keeps why it was not done before that is told, so that a job which is delivered again
// tells it again and sends nothing; and clears the intent.
func (c *changeRun) end(ctx context.Context) error {
	c.kept.Phase = job.Answered
	if err := c.Save(ctx); err != nil {
		return err
	}
	if err := c.ClearIntent(ctx, c.body.Order); err != nil {
		return err
	}
	return c.tellEnd(ctx)
}

// stale shows the newer revision: only what was seen is changed.
func (c *changeRun) stale(ctx context.Context) error {
	if err := c.ClearIntent(ctx, c.body.Order); err != nil {
		return err
	}
	return c.tell(ctx, changeStale)
}

// Answer tells again why it was not done, of the order as it is now.
func (c *changeRun) Answer(ctx context.Context) error {
	t, err := c.change.store.Orders.Order(ctx, c.body.Order)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	c.order = t
	return c.tellEnd(ctx)
}

func (c *changeRun) tellEnd(ctx context.Context) error {
	if c.kept.Denied != "" {
		return c.tell(ctx, changeDenied)
	}
	return c.tell(ctx, changeRefused)
}

// tell answers in the form's window, once what was typed is kept for the answer's buttons, and for when a
// form that comes back is closed and opened again.
func (c *changeRun) tell(ctx context.Context, how changeEnd) error {
	if c.verb.keep != nil {
		if err := c.verb.keep(c, ctx); err != nil {
			return err
		}
	}
	if c.body.Selected != nil { // its form comes back for none of them
		return c.say(ctx, how)
	}
	if how == changeStale || how == changeRefused && !c.kept.TooLate {
		if err := c.change.forms.KeepReturned(ctx, c.body.Asker, cards.SavedKey(c.verb.form, kit.Meta{Order: c.order.ID, Revision: c.order.Order.Rev()}), c.verb.typed(c)); err != nil {
			return err
		}
	}
	return c.say(ctx, how)
}

func (c *changeRun) say(ctx context.Context, how changeEnd) error {
	if c.body.Selected != nil {
		return c.sayAmongSelected(ctx, how)
	}
	return c.change.forms.Show(ctx, c.body.Asker, c.shown(ctx, how))
}

// shown is what is said of it, with the way to the card unless the order is not theirs to know.
func (c *changeRun) shown(ctx context.Context, how changeEnd) answers.Answer {
	c.course = c.change.orders.Course(ctx, c.order.ID)
	s := c.verb.show(c, how)
	if c.kept.Hidden {
		return s
	}
	return s.About(c.order)
}

// unsettled gives up: the person is told, and what they typed is shown to them.
// Unsettled money is always also a direct message.
func (c *changeRun) unsettled(ctx context.Context) error {
	if !c.verb.money {
		return c.say(ctx, changeUnsettled)
	}
	return c.change.forms.AnswerAndSend(ctx, c.body.Asker, c.shown(ctx, changeUnsettled))
}
