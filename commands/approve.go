package commands

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

var approveHelp = cards.HelpRow{
	Verb: "approve", Usage: "approve [ID] [feedback]", Does: "accepts the edited images and closes the order, with feedback if you like",
	Example: "approve K7Q2XM",
	More: []string{
		"The form opens first, with your feedback in it. The button “Approve” opens it, too.",
	},
}

// openApprove opens the approval of an order, bound to the pictures that the person sees
// in it; when those beside the button were others, it says so.
func (c *Commands) openApprove(ctx context.Context, r bot.Request) error {
	return c.openOrder(ctx, r, "approve", cards.TitleApprove, func(ctx context.Context, f orderForm) (answers.ViewFunc, error) {
		if !f.order.Can(order.VerbApprove) {
			why, _, err := c.jobs.Orders.WhyCannot(ctx, r, f.order, order.VerbApprove, cards.CannotApprove(f.order))
			return plainView(cards.ApproveDenied(f.order, f.words, why, f.window)), err
		}
		if why, err := c.jobs.Orders.NotApprover(ctx, r.User, f.order); why != "" || err != nil {
			return plainView(cards.ApproveDenied(f.order, f.words, why, f.window)), err
		}
		said := c.withKept(ctx, r, cards.CallbackApprove, &f)
		course := c.jobs.Orders.Course(ctx, f.order.ID)
		return func(thumbs cards.Thumbs) slack.ModalViewRequest {
			if seen, newer := seenBefore(r, f.order); newer {
				return said(cards.ApproveStale(f.order, course, seen, f.words, thumbs, f.window))
			}
			return said(cards.Approve(f.order, course, f.words, thumbs, f.window))
		}, nil
	})
}

// submitApprove takes the submitted approval, on the ack path.
func (c *Commands) submitApprove(ctx context.Context, r bot.Request) (bot.Reply, error) {
	approval, problems := cards.DecodeApprove(*r.View)
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	t, err := c.store.Order(ctx, approval.Order)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.putChange(ctx, r, job.Approve, jobs.ChangeArgs{
		Order: t.ID, Revision: approval.Revision, Pictures: approval.Pictures, Feedback: approval.Words,
	}, cards.Approving(t, r.View.ExternalID), cards.ApproveLater(t, r.View.ExternalID))
}

// seenBefore is the revision on the button that was pressed, and whether the order has
// something newer than stood beside it: a revision, or other pictures of the same one. A
// typed command means the newest.
func seenBefore(r bot.Request, t store.Tracked) (revision int, newer bool) {
	_, revision, ok := cards.ParseValue(r.Value)
	if !ok {
		return t.Order.Rev(), false
	}
	pictures := cards.PicturesIn(r.Value)
	return revision, revision < t.Order.Rev() || pictures != "" && cards.Newer(t, t.Order.Rev(), pictures)
}
