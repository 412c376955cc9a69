package jobs

import (
	"context"

	"darkroom/cards"
	"darkroom/order"
)

// cancellation is what is special about canceling.
type cancellation struct{}

func (cancellation) rules() changeRules {
	return changeRules{
		kind: CancelJob, asked: "canceling an order",
		does: order.VerbCancel, money: true, cannot: cards.CannotCancel,
	}
}

// moved is never: an order is canceled whatever it shows.
func (cancellation) moved(*changeRun) bool { return false }

func (cancellation) intent(c *changeRun) order.Intent {
	return order.Intent{Verb: order.VerbCancel, Words: order.Lines(c.body.Reason)}
}

func (cancellation) send(ctx context.Context, c *changeRun) (order.Order, error) {
	return c.service.Cancel(ctx, c.order.ID, order.Lines(c.body.Reason))
}

func (cancellation) keep(ctx context.Context, c *changeRun) error {
	return c.keepWords(ctx, WordsNote(c.d.ID), c.body.Reason)
}

func (cancellation) show(c *changeRun, how changeEnd) answer {
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
