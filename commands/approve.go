package commands

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"darkroom/access"
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
	"darkroom/store"
)

// review approves and cancels orders.
type review struct {
	orders       *store.Orders
	readOnly     *answer.ReadOnly
	jobs         *jobs.Jobs
	access       *access.Control
	orderWindows *resolve.Windows
	windows      *answer.Windows
	submissions  *submissions
	saved        *savedForms
}

var approveHelp = cards.HelpRow{
	Verb: "approve", Usage: "approve [ID] [feedback]", Does: "accepts the edited photos and closes the order",
	Example: "approve Lovely light, thank you.",
	More: []string{
		"The form opens first, with your feedback in it. The button “Approve” in a review needs no form. Its menu has “Approve with feedback”.",
	},
}

// openApprove opens the approval of an order, bound to the images in it. If the button belonged to older images, the
// form says so.
func (c *review) openApprove(ctx context.Context, r bot.Request) error {
	return c.orderWindows.Open(ctx, r, "approve", change.TitleApprove, func(ctx context.Context, f resolve.Form) (answers.ViewFunc, error) {
		if !f.Order.Can(order.VerbApprove) {
			why, _, err := c.jobs.Orders.WhyCannot(ctx, r, f.Order, order.VerbApprove, cards.CannotApprove(f.Order))
			return answer.Static(change.ApproveDenied(f.Order, f.Text, why, f.Window)), err
		}
		if why, err := c.jobs.Orders.NotApprover(ctx, r.User, f.Order); why != "" || err != nil {
			return answer.Static(change.ApproveDenied(f.Order, f.Text, why, f.Window)), err
		}
		withNotice := c.saved.withTyped(ctx, r, kit.CallbackApprove, &f)
		history := c.jobs.Orders.RoundHistory(ctx, f.Order.ID)
		return func(thumbs cards.Thumbs) slack.ModalViewRequest {
			if seen, newer := seenBefore(r, f.Order); newer {
				return withNotice(change.ApproveStale(f.Order, history, seen, f.Text, thumbs, f.Window))
			}
			return withNotice(change.Approve(f.Order, history, f.Text, thumbs, f.Window))
		}, nil
	})
}

// approveShown approves the photos beside a pressed button, on the ack path. If the order has newer photos, or is not
// known any more, the form opens.
func (c *review) approveShown(ctx context.Context, r bot.Request) (bot.Reply, error) {
	id, revision, ok := cards.ParseValue(r.Value)
	t, known, err := c.known(ctx, r, id)
	if err != nil {
		return bot.Reply{}, err
	}
	pictures := cards.PicturesIn(r.Value)
	if _, newer := seenBefore(r, t); !ok || !known || newer || pictures == "" {
		return c.readOnly.Answer(ctx, r, c.openApprove)
	}
	return c.putPressed(ctx, r, job.Approve, jobs.ChangeArgs{Order: id, Revision: revision, Pictures: pictures})
}

// known returns the order of a pressed button, and false for one of another workspace or one that Redis has forgotten.
func (c *review) known(ctx context.Context, r bot.Request, id string) (store.Tracked, bool, error) {
	if c.jobs.Finder.IsOtherWorkspace(r) { // whose orders may have the same ids
		return store.Tracked{}, false, nil
	}
	t, err := c.orders.Order(ctx, id)
	if errors.Is(err, store.ErrNotTracked) {
		return t, false, nil
	}
	return t, err == nil && t.Owner.Team == r.Team, err
}

// putPressed puts the job of a pressed button. Its id comes from the press, so a retry by Slack puts it once.
func (c *review) putPressed(ctx context.Context, r bot.Request, kind string, body jobs.ChangeArgs) (bot.Reply, error) {
	body.Asker = answers.AskerOf(r)
	return bot.Ack(), c.jobs.Putter.Put(ctx, kind, kind+":"+r.ID, "order:"+body.Order, body)
}

// submitApprove handles the submitted approval, on the ack path.
func (c *review) submitApprove(ctx context.Context, r bot.Request) (bot.Reply, error) {
	approval, problems := change.DecodeApprove(*r.View)
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	t, err := c.orders.Order(ctx, approval.Order)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.submissions.putChange(ctx, r, job.Approve, jobs.ChangeArgs{
		Order: t.ID, Revision: approval.Revision, Pictures: approval.Pictures, Feedback: approval.Words,
	}, change.Approving(t, r.View.ExternalID), change.ApproveLater(t, r.View.ExternalID))
}

// seenBefore returns the revision of the pressed button, and whether the order has a newer revision or newer images. A
// typed command means the latest.
func seenBefore(r bot.Request, t store.Tracked) (revision int, newer bool) {
	_, revision, ok := cards.ParseValue(r.Value)
	if !ok {
		return t.Order.Rev(), false
	}
	pictures := cards.PicturesIn(r.Value)
	return revision, revision < t.Order.Rev() || pictures != "" && cards.Newer(t, t.Order.Rev(), pictures)
}
