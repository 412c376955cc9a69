package commands

import (
	"context"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
)

var cancelHelp = cards.HelpRow{
	Verb: "cancel", Usage: "cancel [ID] [reason]", Does: "cancels an order soon after it was placed",
	Example: "cancel the wrong photos",
	More: []string{
		"The photo service promises to take an order back for 10 minutes after it was placed. It may do so for 15. That long, a menu on the card has “Cancel order”.",
	},
}

// openCancel opens the cancellation of an order. The service decides whether it is still in time.
func (c *review) openCancel(ctx context.Context, r bot.Request) error {
	return c.orderWindows.Open(ctx, r, "cancel", change.TitleCancel, func(ctx context.Context, f resolve.Form) (answers.ViewFunc, error) {
		if !f.Order.Can(order.VerbCancel) {
			why, _, err := c.jobs.Orders.WhyCannot(ctx, r, f.Order, order.VerbCancel, cards.CannotCancel(f.Order))
			return answer.Static(change.CancelDenied(f.Order, f.Text, why, f.Window)), err
		}
		withNotice := c.saved.withTyped(ctx, r, kit.CallbackCancel, &f)
		return answer.Static(withNotice(change.Cancel(f.Order, f.Text, time.Now(), f.Window))), nil
	})
}

// cancelNow cancels an order by its card's menu, on the ack path.
func (c *review) cancelNow(ctx context.Context, r bot.Request) (bot.Reply, error) {
	id, _, ok := cards.ParseValue(r.Value)
	_, known, err := c.known(ctx, r, id)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case !ok || !known:
		return c.readOnly.Answer(ctx, r, c.openCancel)
	}
	return c.putPressed(ctx, r, job.Cancel, jobs.ChangeArgs{Order: id})
}

// submitCancel handles the submitted cancellation, on the ack path.
func (c *review) submitCancel(ctx context.Context, r bot.Request) (bot.Reply, error) {
	cancellation, problems := change.DecodeCancel(*r.View)
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	t, err := c.orders.Order(ctx, cancellation.Order)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.submissions.putChange(ctx, r, job.Cancel, jobs.ChangeArgs{Order: t.ID, Reason: cancellation.Words}, change.Canceling(t, r.View.ExternalID), change.CancelLater(t, r.View.ExternalID))
}
