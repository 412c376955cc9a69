package jobs

import (
	"context"

	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
)

// cancellation declares how orders are canceled. The pictures do not matter.
var cancellation = changeVerb{
	kind: job.Cancel, asked: "canceling an order", name: order.VerbCancel, alwaysDM: true,
	whyNot:    cards.CannotCancel,
	intent:    func(c *changeRun) order.Intent { return order.Intent{Words: order.Lines(c.body.Reason)} },
	send:      (*changeRun).sendCancellation,
	saveTyped: (*changeRun).saveReason,
	show:      (*changeRun).showCancellation,
	form:      kit.CallbackCancel,
	typed:     func(c *changeRun) answers.Typed { return answers.Typed{Words: c.body.Reason} },
}

func (c *changeRun) sendCancellation(ctx context.Context) (order.Order, error) {
	return c.change.service.Cancel(ctx, c.order.ID, order.Lines(c.body.Reason))
}

func (c *changeRun) saveReason(ctx context.Context) error {
	return c.change.forms.SaveWords(ctx, c.body.User, answers.WordsDoc(c.Delivery.ID), c.body.Reason)
}

func (c *changeRun) showCancellation(how changeEnd) answers.Answer {
	t, typed, view := c.order, c.body.Reason, c.body.View
	switch {
	case how == changeWaits:
		return answers.Plain(change.CancelLater(t, view))
	case how == changeDone:
		return answers.Plain(change.Canceled(t, view))
	case how == changeRefused && c.saved.TooLate:
		return answers.Plain(change.CancelTooLate(t, typed, c.saved.Problems, answers.WordsDoc(c.Delivery.ID), view))
	case how == changeRefused:
		return answers.Plain(change.CancelRefused(t, typed, c.saved.Problems, view))
	case how == changeDenied:
		return answers.Plain(change.CancelDenied(t, typed, c.saved.Denied, view))
	}
	return answers.Plain(change.CancelUnsettled(t, typed, view))
}
