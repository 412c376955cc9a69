package jobs

import (
	"context"

	"darkroom/cards"
	"darkroom/order"
)

// cancellation is what is special about canceling. An order is canceled whatever it shows.
var cancellation = changeVerb{
	kind: CancelJob, asked: "canceling an order", does: order.VerbCancel, money: true,
	cannot: cards.CannotCancel,
	intent: func(c *changeRun) order.Intent { return order.Intent{Words: order.Lines(c.body.Reason)} },
	send:   (*changeRun).sendCancellation,
	keep:   (*changeRun).keepReason,
	show:   (*changeRun).showCancellation,
	form:   cards.CallbackCancel,
	typed:  func(c *changeRun) Typed { return Typed{Words: c.body.Reason} },
}

func (c *changeRun) sendCancellation(ctx context.Context) (order.Order, error) {
	return c.service.Cancel(ctx, c.order.ID, order.Lines(c.body.Reason))
}

func (c *changeRun) keepReason(ctx context.Context) error {
	return c.keepWords(ctx, c.body.User, WordsNote(c.d.ID), c.body.Reason)
}

func (c *changeRun) showCancellation(how changeEnd) answer {
	t, typed, view := c.order, c.body.Reason, c.body.View
	switch {
	case how == changeWaits:
		return plainly(cards.CancelLater(t, view))
	case how == changeDone:
		return plainly(cards.Canceled(t, view))
	case how == changeRefused && c.kept.TooLate:
		return plainly(cards.CancelTooLate(t, typed, c.kept.Problems, WordsNote(c.d.ID), view))
	case how == changeRefused:
		return plainly(cards.CancelRefused(t, typed, c.kept.Problems, view))
	case how == changeDenied:
		return plainly(cards.CancelDenied(t, typed, c.kept.Denied, view))
	}
	return plainly(cards.CancelUnsettled(t, typed, view))
}
