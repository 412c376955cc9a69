package commands

import (
	"context"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

const cancelJob = "cancel"

var cancelHelp = cards.HelpRow{
	Verb: "cancel", Usage: "cancel [ID] [reason]", Does: "cancels an order soon after it was placed",
	Example: "cancel K7Q2XM the wrong photos",
	More: []string{
		"The service promises to take an order back for 10 minutes, and may until the 15th. The button “Cancel order” is on the card that long.",
	},
}

// openCancel opens the cancellation of a new order. Whether there still is time for it,
// the service decides.
func (c *Commands) openCancel(ctx context.Context, r bot.Request) error {
	return c.openOrder(ctx, r, orderForm{
		verb: "cancel", title: cards.TitleCancel,
		fill: func(ctx context.Context, t store.Tracked, line, window string) (thumbed, error) {
			words, err := bot.Plain(ctx, c.slack, line)
			return func(bool) slack.ModalViewRequest {
				if !t.Can(order.VerbCancel) {
					return cards.CancelDenied(t, words, cards.CannotCancel(t), window)
				}
				return cards.Cancel(t, words, time.Now(), window)
			}, err
		},
	})
}

// submitCancel takes the submitted cancellation, on the ack path.
func (c *Commands) submitCancel(ctx context.Context, r bot.Request) (bot.Reply, error) {
	cancellation, problems := cards.DecodeCancel(*r.View)
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	t, err := c.store.Order(ctx, cancellation.Order)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.putChange(ctx, r, cancelJob, changing{Order: t.ID, Reason: cancellation.Reason}, cards.Canceling(t, r.View.ExternalID), cards.CancelLater(t, r.View.ExternalID))
}

// cancel does the job.
func (c *Commands) cancel(ctx context.Context, d *queue.Delivery) error {
	return c.change(ctx, d, c.cancellation())
}

// cancellation is what is special about canceling.
func (c *Commands) cancellation() changeVerb {
	return changeVerb{
		does: order.VerbCancel, may: c.access.Authorize, money: true,
		deny: func(_ context.Context, a *attempt) error {
			a.state.Denied = cards.CannotCancel(a.order)
			return nil
		},
		intent: func(a *attempt) order.Intent {
			return order.Intent{Verb: order.VerbCancel, Words: order.Lines(a.body.Reason)}
		},
		send: func(ctx context.Context, a *attempt) (order.Order, error) {
			return c.service.Cancel(ctx, a.order.ID, order.Lines(a.body.Reason))
		},
		keep: func(ctx context.Context, a *attempt) error {
			return c.keepWords(ctx, wordsNote(a.d.ID), a.body.Reason)
		},
		later: func(a *attempt) answer { return plainly(cards.CancelLater(a.order, a.body.View)) },
		done:  func(a *attempt) answer { return plainly(cards.Canceled(a.order, a.body.View)) },
		refused: func(a *attempt) answer {
			if a.state.TooLate {
				return plainly(cards.CancelTooLate(a.order, a.body.Reason, a.state.Problems, wordsNote(a.d.ID), a.body.View))
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
