package commands

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/upstream"
)

var approveHelp = cards.HelpRow{
	Verb: "approve", Usage: "approve [ID]", Does: "accepts the edited images and closes the order, with feedback if you like",
	Example: "approve K7Q2XM",
}

// openApprove opens the approval of an order, bound to the revision that the person
// saw: the one of the button, else the newest.
func (c *Commands) openApprove(ctx context.Context, r bot.Request) error {
	return c.openOrder(ctx, r, orderForm{
		verb: "approve", title: cards.TitleApprove, fits: reviewing,
		fill: func(ctx context.Context, t store.Tracked, words, window string) (thumbed, error) {
			if !reviewing(t) {
				return c.notice(cards.TitleApprove, cards.CannotApprove(t), window), nil
			}
			return func(thumbs bool) slack.ModalViewRequest {
				if seen := seenRevision(r, t); seen < t.Order.Rev() {
					return cards.ApproveStale(t, seen, "", thumbs, window)
				}
				return cards.Approve(t, words, thumbs, window)
			}, nil
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
	body := approving{
		Order: approval.Order, Revision: approval.Revision, Feedback: approval.Feedback,
		Team: r.Team, User: r.User, View: r.View.ExternalID, At: now(),
	}
	if err := c.put(ctx, approveJob, approveJob+":"+r.ID, "order:"+t.ID, body); err != nil {
		return bot.Reply{}, err
	}
	return bot.Update(cards.Approving(t, r.View.ExternalID)), nil
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
