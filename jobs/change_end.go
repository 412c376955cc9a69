package jobs

import (
	"context"
	"errors"

	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

// transmit leaves the intent on the order and sends the change.
func (c *changeRun) transmit(ctx context.Context) error {
	if c.saved.Sends >= maxSends {
		return c.giveUp(ctx)
	}
	c.history = c.change.liveOrders.RoundHistory(ctx, c.order.ID)
	intent := c.verb.intent(c)
	intent.Verb, intent.Revision = c.verb.name, c.body.Revision
	switch goes, err := c.Intend(ctx, c.order.ID, c.body.User, intent); {
	case err != nil:
		return err
	case !goes:
		return c.hidden(ctx)
	}
	return job.SendMarked(ctx, c)
}

// tickedIn counts the requested changes that are ticked as done; nil: none is.
func tickedIn(c *changeRun) *order.DoneCount {
	if count := cards.DoneOf(c.order, c.history); count != nil && count.Done > 0 {
		return count
	}
	return nil
}

func (c *changeRun) Send(ctx context.Context) (order.Order, error) { return c.verb.send(c, ctx) }

// Done records the service's answer, unless the poller already recorded the change.
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

// succeeded notifies the person that the change was carried out.
func (c *changeRun) succeeded(ctx context.Context) error {
	if c.verb.after != nil {
		if err := c.verb.after(ctx, c); err != nil {
			return err
		}
	}
	c.change.home.Changed(ctx, c.body.Team, c.body.User)
	return c.show(ctx, changeDone)
}

// Unsent clears the intent of a request that never left, and waits.
func (c *changeRun) Unsent(ctx context.Context, why error) error {
	if c.saved.Sends == 0 {
		if err := c.ClearIntent(ctx, c.order.ID); err != nil {
			return err
		}
	}
	return c.retryLater(ctx, why)
}

// Refused fetches the order if the refusal may have another reason: an earlier send arrived, or somebody else changed
// the order meanwhile.
func (c *changeRun) Refused(ctx context.Context, why error) error {
	again := c.saved.Sends > 1
	if !again { // any other change is somebody else's
		if err := c.ClearIntent(ctx, c.order.ID); err != nil {
			return err
		}
		c.saved.Sends = 0
	}
	if again || errors.Is(why, order.ErrInvalidStatus) {
		if err := c.refetch(ctx); err != nil {
			return c.retryLater(ctx, err)
		}
		if told, err := c.answerIfEnded(ctx); told || err != nil {
			return err
		}
	}
	c.saved.Problems, c.saved.TooLate = job.Problems(why), errors.Is(why, order.ErrDeadlinePassed)
	return c.end(ctx)
}

// retryLater waits for a service that does not answer.
func (c *changeRun) retryLater(ctx context.Context, why error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(why, store.ErrNotTracked):
		return c.hidden(ctx)
	case errors.Is(why, order.ErrInvalidOrder) && c.saved.Sends > 0:
		if c.saved.Unseen++; c.saved.Unseen >= maxSends {
			return c.giveUp(ctx) // the change may have been carried out
		}
	case errors.Is(why, order.ErrInvalidOrder):
		return c.unknownToService(ctx, why)
	case !errors.Is(why, order.ErrUnavailable) && !errors.Is(why, order.ErrUnknown):
		return why
	}
	wait, mayBeOut := job.RetryAfter(why, c.saved.Waits), c.saved.Phase == job.Sending
	if left := c.mayStillArrive(); left > 0 {
		wait = min(wait, left)
	}
	return c.PutOff(ctx, c.body.Order, wait, mayBeOut, func(ctx context.Context) error {
		if mayBeOut {
			return c.show(ctx, changeUnknown)
		}
		return c.show(ctx, changeWaits)
	})
}

// unknownToService tells a person who may see the order that the service does not know it. Nothing was sent.
func (c *changeRun) unknownToService(ctx context.Context, why error) error {
	see, err := c.change.access.CanSee(ctx, c.body.AsRequest(), c.order)
	switch {
	case err != nil:
		return err
	case !see:
		return c.hidden(ctx)
	}
	c.saved.Problems = job.Problems(why)
	return c.end(ctx)
}

// hidden answers that there is no such order: it is no longer tracked, or the person may not see it.
func (c *changeRun) hidden(ctx context.Context) error {
	c.saved.Denied, c.saved.Hidden = cards.NotFound(c.body.Order), true
	return c.end(ctx)
}

// end saves why the change was not made and clears the intent, before it notifies the person. A redelivered job
// notifies again and sends nothing.
func (c *changeRun) end(ctx context.Context) error {
	c.saved.Phase = job.Answered
	if err := c.Save(ctx); err != nil {
		return err
	}
	if err := c.ClearIntent(ctx, c.body.Order); err != nil {
		return err
	}
	return c.answerEnd(ctx)
}

// stale shows the newer revision. A change is only for the revision that was seen.
func (c *changeRun) stale(ctx context.Context) error {
	if err := c.ClearIntent(ctx, c.body.Order); err != nil {
		return err
	}
	return c.saveAndShow(ctx, changeStale)
}

// Answer shows again why the change was not made, with the current order.
func (c *changeRun) Answer(ctx context.Context) error {
	t, err := c.change.store.Orders.Order(ctx, c.body.Order)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	c.order = t
	return c.answerEnd(ctx)
}

func (c *changeRun) answerEnd(ctx context.Context) error {
	if c.saved.Denied != "" {
		return c.saveAndShow(ctx, changeDenied)
	}
	return c.saveAndShow(ctx, changeRefused)
}

// saveAndShow saves the text for the answer's buttons, and for a returned form that is closed and opened again. Then it
// answers in the window.
func (c *changeRun) saveAndShow(ctx context.Context, how changeEnd) error {
	c.history = c.change.liveOrders.RoundHistory(ctx, c.order.ID)
	if c.verb.saveTyped != nil {
		if err := c.verb.saveTyped(c, ctx); err != nil {
			return err
		}
	}
	if c.body.Selected != nil || c.body.pressed() { // no form is returned
		return c.show(ctx, how)
	}
	if how == changeStale || how == changeRefused && !c.saved.TooLate {
		if err := c.change.forms.SaveReturned(ctx, c.body.Asker, cards.SavedKey(c.verb.form, kit.Meta{Order: c.order.ID, Revision: c.order.Order.Rev()}), c.verb.typed(c)); err != nil {
			return err
		}
	}
	return c.show(ctx, how)
}

func (c *changeRun) show(ctx context.Context, how changeEnd) error {
	switch {
	case c.body.Selected != nil:
		return c.showAmongSelected(ctx, how)
	case !c.body.pressed():
		return c.change.forms.Show(ctx, c.body.Asker, c.answer(ctx, how))
	case how == changeDone: // the message says so in the button's place
		return nil
	}
	a := c.answer(ctx, how)
	if how == changeStale {
		newer := change.NotApprovedNewer(c.order, c.body.Revision, c.change.messages.Links(ctx), c.Delivery.Now())
		a = answers.Answer{Closed: []kit.Message{newer}}
	}
	return c.change.forms.Show(ctx, c.body.Asker, a)
}

// ended removes the change from the order's card once err is nil. A card whose order has ended shows no waits.
func (c *changeRun) ended(ctx context.Context, err error) error {
	if err == nil && c.body.pressed() && !c.order.Ended() {
		c.change.waiting.Ended(ctx, c.body.Order)
		return nil
	}
	return c.Ended(ctx, c.body.Order, err)
}

// answer returns the answer, with a link to the card if the person may see the order.
func (c *changeRun) answer(ctx context.Context, how changeEnd) answers.Answer {
	c.history = c.change.liveOrders.RoundHistory(ctx, c.order.ID)
	s := c.verb.show(c, how)
	if c.saved.Hidden {
		return s
	}
	return s.About(c.order)
}

// giveUp gives up and shows the person their text. Money of unknown outcome always gets a direct message, too.
func (c *changeRun) giveUp(ctx context.Context) error {
	if !c.verb.alwaysDM {
		return c.show(ctx, changeUnknown)
	}
	return c.change.forms.AnswerAndSend(ctx, c.body.Asker, c.answer(ctx, changeUnknown))
}
