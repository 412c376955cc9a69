package jobs

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
)

// approval is what is special about approving.
type approval struct{}

func (approval) rules() changeRules {
	return changeRules{
		kind: ApproveJob, asked: "approving an order",
		does: order.VerbApprove, cannot: cards.CannotApprove,
	}
}

func (approval) moved(c *changeRun) bool { return c.newer() }

func (approval) intent(c *changeRun) order.Intent {
	return order.Intent{Verb: order.VerbApprove, Words: order.Lines(c.body.Feedback)}
}

func (approval) send(ctx context.Context, c *changeRun) (order.Order, error) {
	return c.service.Approve(ctx, c.order.ID, order.Lines(c.body.Feedback))
}

func (approval) keep(context.Context, *changeRun) error { return nil }

func (approval) show(c *changeRun, how changeEnd) answer {
	t, typed, view := c.order, c.body.Feedback, c.body.View
	switch how {
	case changeWaits:
		return plainly(cards.ApproveLater(t, view))
	case changeDone:
		return plainly(cards.Approved(t, view))
	case changeStale:
		return answer{view: func(thumbs bool) slack.ModalViewRequest {
			return cards.ApproveStale(t, c.body.Revision, typed, thumbs, view)
		}}
	case changeRefused:
		return plainly(cards.ApproveRefused(t, typed, c.kept.Problems, view))
	case changeDenied:
		return plainly(cards.ApproveDenied(t, typed, c.kept.Denied, view))
	}
	return plainly(cards.ApproveUnsettled(t, typed, view))
}
