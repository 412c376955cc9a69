package jobs

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
)

// approval declares how orders are approved.
var approval = changeVerb{
	kind: job.Approve, asked: "approving an order", name: order.VerbApprove,
	whyNot:  cards.CannotApprove,
	differs: (*changeRun).hasNewPictures,
	reservedFor: func(c *changeRun, ctx context.Context) (string, error) {
		return c.change.liveOrders.NotApprover(ctx, c.body.User, c.order)
	},
	intent: func(c *changeRun) order.Intent {
		return order.Intent{Words: order.Lines(c.body.Feedback), Ticked: tickedIn(c)}
	},
	send:  (*changeRun).sendApproval,
	show:  (*changeRun).showApproval,
	form:  kit.CallbackApprove,
	typed: func(c *changeRun) answers.Typed { return answers.Typed{Words: c.body.Feedback} },
}

func (c *changeRun) sendApproval(ctx context.Context) (order.Order, error) {
	return c.change.service.Approve(ctx, c.order.ID, order.Lines(c.body.Feedback))
}

func (c *changeRun) showApproval(how changeEnd) answers.Answer {
	t, typed, view := c.order, c.body.Feedback, c.body.View
	switch how {
	case changeWaits:
		return answers.Plain(change.ApproveLater(t, view))
	case changeDone:
		return answers.Plain(change.Approved(t, view))
	case changeStale:
		return answers.Answer{View: func(thumbs cards.Thumbs) slack.ModalViewRequest {
			return change.ApproveStale(t, c.history, c.body.Revision, typed, thumbs, view)
		}}
	case changeRefused:
		return answers.Answer{View: func(thumbs cards.Thumbs) slack.ModalViewRequest {
			return change.ApproveRefused(t, c.history, typed, c.saved.Problems, thumbs, view)
		}}
	case changeDenied:
		return answers.Plain(change.ApproveDenied(t, typed, c.saved.Denied, view))
	}
	return answers.Plain(change.ApproveUnsettled(t, typed, view))
}
