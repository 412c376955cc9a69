package commands

import (
	"context"
	"strings"

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
	t, found, err := c.meant(ctx, r, reviewing)
	if err != nil || !found {
		return err
	}
	if act, err := c.mayAct(ctx, r, t); err != nil {
		return err
	} else if !act {
		return c.tell(ctx, r, cards.Say(cards.CannotPost(t.Owner.Channel, cards.Guest)))
	}
	if !reviewing(t) {
		return c.tell(ctx, r, cards.Say(cards.CannotApprove(t)))
	}
	id := "approve:" + hash(r.ID)
	_, err = c.open(ctx, r, func(thumbs bool) slack.ModalViewRequest {
		if seen := seenRevision(r, t); seen < t.Order.Rev() {
			return cards.ApproveStale(t, seen, "", thumbs, id)
		}
		return cards.Approve(t, c.typedFeedback(r), thumbs, id)
	})
	return err
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

// typedFeedback is what the command line says after the id.
func (c *Commands) typedFeedback(r bot.Request) string {
	if r.Kind != bot.KindCommand {
		return ""
	}
	_, rest, _ := strings.Cut(strings.TrimSpace(r.Args), " ")
	return strings.TrimSpace(rest)
}
