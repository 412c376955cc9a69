package jobs

import (
	"context"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store/queue"
)

func (j *Jobs) cancelKind() queue.Declared {
	return j.changeKind(CancelJob, "canceling an order", j.cancellation())
}

// cancellation is what is special about canceling.
func (j *Jobs) cancellation() changeVerb {
	return changeVerb{
		does: order.VerbCancel, may: j.access.Authorize, money: true,
		deny: func(_ context.Context, a *attempt) error {
			a.state.Denied = cards.CannotCancel(a.order)
			return nil
		},
		intent: func(a *attempt) order.Intent {
			return order.Intent{Verb: order.VerbCancel, Words: order.Lines(a.body.Reason)}
		},
		send: func(ctx context.Context, a *attempt) (order.Order, error) {
			return j.service.Cancel(ctx, a.order.ID, order.Lines(a.body.Reason))
		},
		keep: func(ctx context.Context, a *attempt) error {
			return j.keepWords(ctx, WordsNote(a.d.ID), a.body.Reason)
		},
		later: func(a *attempt) answer { return plainly(cards.CancelLater(a.order, a.body.View)) },
		done:  func(a *attempt) answer { return plainly(cards.Canceled(a.order, a.body.View)) },
		refused: func(a *attempt) answer {
			if a.state.TooLate {
				return plainly(cards.CancelTooLate(a.order, a.body.Reason, a.state.Problems, WordsNote(a.d.ID), a.body.View))
			}
			return plainly(cards.CancelRefused(a.order, a.body.Reason, a.state.Problems, a.body.View))
		},
		denied: func(a *attempt) answer {
			return plainly(cards.CancelDenied(a.order, a.body.Reason, a.state.Denied, a.body.View))
		},
		unsettled: func(a *attempt) answer {
			return plainly(cards.CancelUnsettled(a.order, a.body.Reason, a.body.View))
		},
	}
}
