package commands

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

const approveJob = "approve"

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
	return c.openOrder(ctx, r, orderForm{
		verb: "approve", title: cards.TitleApprove,
		fill: func(ctx context.Context, t store.Tracked, line, window string) (thumbed, error) {
			permit, err := c.access.AuthorizeApprove(ctx, r, t)
			if err != nil {
				return nil, err
			}
			words, err := bot.Plain(ctx, c.slack, line)
			denied := ""
			switch {
			case !permit.Acts():
				denied = cards.CannotApproveHere(t)
			case !t.Can(order.VerbApprove):
				denied = cards.CannotApprove(t)
			}
			return func(thumbs bool) slack.ModalViewRequest {
				if denied != "" {
					return cards.ApproveDenied(t, words, denied, window)
				}
				if seen, newer := seenBefore(r, t); newer {
					return cards.ApproveStale(t, seen, words, thumbs, window)
				}
				return cards.Approve(t, words, thumbs, window)
			}, err
		},
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
	return c.putChange(ctx, r, approveJob, changing{
		Order: t.ID, Revision: approval.Revision, Pictures: approval.Pictures, Feedback: approval.Feedback,
	}, cards.Approving(t, r.View.ExternalID), cards.ApproveLater(t, r.View.ExternalID))
}

// approve does the job.
func (c *Commands) approve(ctx context.Context, d *queue.Delivery) error {
	return c.change(ctx, d, c.approval())
}

// approval is what is special about approving.
func (c *Commands) approval() changeVerb {
	return changeVerb{
		does: order.VerbApprove, may: c.access.AuthorizeApprove, moved: (*attempt).newer,
		deny: func(_ context.Context, a *attempt) error {
			a.state.Denied = cards.CannotApprove(a.order)
			return nil
		},
		intent: func(a *attempt) order.Intent {
			return order.Intent{Verb: order.VerbApprove, Words: order.Lines(a.body.Feedback)}
		},
		send: func(ctx context.Context, a *attempt) (order.Order, error) {
			return c.service.Approve(ctx, a.order.ID, order.Lines(a.body.Feedback))
		},
		later: func(a *attempt) answer { return plainly(cards.ApproveLater(a.order, a.body.View)) },
		done:  func(a *attempt) answer { return plainly(cards.Approved(a.order, a.body.View)) },
		stale: func(a *attempt) answer {
			return answer{view: func(thumbs bool) slack.ModalViewRequest {
				return cards.ApproveStale(a.order, a.body.Revision, a.body.Feedback, thumbs, a.body.View)
			}}
		},
		refused: func(a *attempt) answer {
			return plainly(cards.ApproveRefused(a.order, a.body.Feedback, a.state.Problems, a.body.View))
		},
		denied: func(a *attempt) answer {
			return plainly(cards.ApproveDenied(a.order, a.body.Feedback, a.state.Denied, a.body.View))
		},
		unsettled: func(a *attempt) answer {
			return plainly(cards.ApproveUnsettled(a.order, a.body.Feedback, a.body.View))
		},
	}
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
