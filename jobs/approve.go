package jobs

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// approval is what is special about approving.
var approval = changeVerb{
	kind: ApproveJob, asked: "approving an order", does: order.VerbApprove,
	cannot: cards.CannotApprove,
	moved:  (*changeRun).newer,
	keptFor: func(c *changeRun, ctx context.Context) (string, error) {
		return c.NotApprover(ctx, c.body.User, c.order)
	},
	intent: func(c *changeRun) order.Intent { return order.Intent{Words: order.Lines(c.body.Feedback)} },
	send:   (*changeRun).sendApproval,
	show:   (*changeRun).showApproval,
	form:   cards.CallbackApprove,
	typed:  func(c *changeRun) Typed { return Typed{Words: c.body.Feedback} },
}

// NotApprover is the sentence that says who alone may approve the order, "" when this person may.
func (j *Jobs) NotApprover(ctx context.Context, user string, t store.Tracked) (string, error) {
	named, err := j.access.ApprovalKeptFor(ctx, user, t)
	if err != nil || len(named) == 0 {
		return "", err
	}
	return cards.NotApprover(t.Owner.Channel, named), nil
}

func (c *changeRun) sendApproval(ctx context.Context) (order.Order, error) {
	return c.service.Approve(ctx, c.order.ID, order.Lines(c.body.Feedback))
}

func (c *changeRun) showApproval(how changeEnd) answer {
	t, typed, view := c.order, c.body.Feedback, c.body.View
	switch how {
	case changeWaits:
		return plainly(cards.ApproveLater(t, view))
	case changeDone:
		return plainly(cards.Approved(t, view))
	case changeStale:
		return answer{view: func(thumbs cards.Thumbs) slack.ModalViewRequest {
			return cards.ApproveStale(t, c.course, c.body.Revision, typed, thumbs, view)
		}}
	case changeRefused:
		return answer{view: func(thumbs cards.Thumbs) slack.ModalViewRequest {
			return cards.ApproveRefused(t, c.course, typed, c.kept.Problems, thumbs, view)
		}}
	case changeDenied:
		return plainly(cards.ApproveDenied(t, typed, c.kept.Denied, view))
	}
	return plainly(cards.ApproveUnsettled(t, typed, view))
}
