package commands

import (
	"context"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
)

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
		fill: func(ctx context.Context, t store.Tracked, line, window string) (jobs.ViewFunc, error) {
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
	return c.putChange(ctx, r, jobs.CancelJob, jobs.ChangeArgs{Order: t.ID, Reason: cancellation.Words}, cards.Canceling(t, r.View.ExternalID), cards.CancelLater(t, r.View.ExternalID))
}
