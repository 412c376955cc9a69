package commands

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/upstream"
)

const approveJob = "approve"

var approveHelp = cards.HelpRow{
	Verb: "approve", Usage: "approve [ID] [feedback]", Does: "accepts the edited images and closes the order, with feedback if you like",
	Example: "approve K7Q2XM",
	More: []string{
		"The form opens first, with your feedback in it. The button “Approve” opens it, too.",
	},
}

// openApprove opens the approval of an order, bound to the revision that the person
// saw: the one of the button, else the newest.
func (c *Commands) openApprove(ctx context.Context, r bot.Request) error {
	return c.openOrder(ctx, r, orderForm{
		verb: "approve", title: cards.TitleApprove, fits: reviewing,
		fill: func(ctx context.Context, t store.Tracked, line, window string) (thumbed, error) {
			may, err := c.mayApprove(ctx, r, t)
			if err != nil {
				return nil, err
			}
			words, err := c.plain(ctx, line)
			denied := ""
			switch {
			case !may:
				denied = cards.CannotApproveHere(t)
			case !reviewing(t):
				denied = cards.CannotApprove(t)
			}
			return func(thumbs bool) slack.ModalViewRequest {
				if denied != "" {
					return cards.ApproveDenied(t, words, denied, window)
				}
				if seen := seenRevision(r, t); seen < t.Order.Rev() {
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
		Order: t.ID, Revision: approval.Revision, Newest: approval.Newest, Feedback: approval.Feedback,
	}, cards.Approving(t, r.View.ExternalID), cards.ApproveLater(t, r.View.ExternalID))
}

// approve does the job.
func (c *Commands) approve(ctx context.Context, d *queue.Delivery) error {
	return c.change(ctx, d, c.approval())
}

// approval is what is special about approving.
func (c *Commands) approval() changeVerb {
	return changeVerb{
		may: c.mayApprove, fits: reviewing,
		deny: func(_ context.Context, a *attempt) error {
			a.state.Denied = cards.CannotApprove(a.order)
			return nil
		},
		intent: func(a *attempt) store.Intent {
			return store.Intent{Verb: store.VerbApprove, Words: upstream.Lines(a.body.Feedback)}
		},
		send: func(ctx context.Context, a *attempt) (upstream.Order, error) {
			return c.service.Approve(ctx, a.order.ID, upstream.Lines(a.body.Feedback))
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

// reviewing tells whether the order waits for a review.
func reviewing(t store.Tracked) bool { return t.Order.Status == upstream.Reviewing && !t.Gone }

// seenRevision is the revision on the button that was pressed; a typed command means
// the newest.
func seenRevision(r bot.Request, t store.Tracked) int {
	if _, revision, ok := cards.ParseValue(r.Value); ok {
		return revision
	}
	return t.Order.Rev()
}
