package commands

import (
	"context"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
)

var cancelHelp = cards.HelpRow{
	Verb: "cancel", Usage: "cancel [ID] [reason]", Does: "cancels an order soon after it was placed",
	Example: "cancel K7Q2XM the wrong photos",
	More: []string{
		"The service promises to take an order back for 10 minutes after it was placed, and may do so for 15. The button “Cancel order” is on the card that long, unless the card asks for your review.",
	},
}

// openCancel opens the cancellation of a new order. Whether there still is time for it,
// the service decides.
func (c *Commands) openCancel(ctx context.Context, r bot.Request) error {
	return c.openOrder(ctx, r, "cancel", cards.TitleCancel, func(ctx context.Context, f orderForm) (answers.ViewFunc, error) {
		if !f.order.Can(order.VerbCancel) {
			why, _, err := c.jobs.Orders.WhyCannot(ctx, r, f.order, order.VerbCancel, cards.CannotCancel(f.order))
			return plainView(cards.CancelDenied(f.order, f.words, why, f.window)), err
		}
		said := c.withKept(ctx, r, cards.CallbackCancel, &f)
		return plainView(said(cards.Cancel(f.order, f.words, time.Now(), f.window))), nil
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
	return c.putChange(ctx, r, job.Cancel, jobs.ChangeArgs{Order: t.ID, Reason: cancellation.Words}, cards.Canceling(t, r.View.ExternalID), cards.CancelLater(t, r.View.ExternalID))
}
