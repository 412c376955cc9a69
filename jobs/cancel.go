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

// cancellation is what is special about canceling. An order is canceled whatever it shows.
var cancellation = changeVerb{
	kind: job.Cancel, asked: "canceling an order", does: order.VerbCancel, money: true,
	cannot: cards.CannotCancel,
	intent: func(c *changeRun) order.Intent { return order.Intent{Words: order.Lines(c.body.Reason)} },
	send:   (*changeRun).sendCancellation,
	keep:   (*changeRun).keepReason,
	show:   (*changeRun).showCancellation,
	form:   kit.CallbackCancel,
	typed:  func(c *changeRun) answers.Typed { return answers.Typed{Words: c.body.Reason} },
}

func (c *changeRun) sendCancellation(ctx context.Context) (order.Order, error) {
	return c.change.service.Cancel(ctx, c.order.ID, order.Lines(c.body.Reason))
}

func (c *changeRun) keepReason(ctx context.Context) error {
	return c.change.forms.KeepWords(ctx, c.body.User, answers.WordsNote(c.Delivery.ID), c.body.Reason)
}

func (c *changeRun) showCancellation(how changeEnd) answers.Answer {
	t, typed, view := c.order, c.body.Reason, c.body.View
	switch {
	case how == changeWaits:
		return answers.Plain(change.CancelLater(t, view))
	case how == changeDone:
		return answers.Plain(change.Canceled(t, view))
	case how == changeRefused && c.kept.TooLate:
		return answers.Plain(change.CancelTooLate(t, typed, c.kept.Problems, answers.WordsNote(c.Delivery.ID), view))
	case how == changeRefused:
		return answers.Plain(change.CancelRefused(t, typed, c.kept.Problems, view))
	case how == changeDenied:
		return answers.Plain(change.CancelDenied(t, typed, c.kept.Denied, view))
	}
	return answers.Plain(change.CancelUnsettled(t, typed, view))
}
