package jobs

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store/queue"
)

func (j *Jobs) approveKind() queue.Declared {
	return j.changeKind(ApproveJob, "approving an order", j.approval())
}

// approval is what is special about approving.
func (j *Jobs) approval() changeVerb {
	return changeVerb{
		does: order.VerbApprove, may: j.access.AuthorizeApprove, moved: (*attempt).newer,
		deny: func(_ context.Context, a *attempt) error {
			a.state.Denied = cards.CannotApprove(a.order)
			return nil
		},
		intent: func(a *attempt) order.Intent {
			return order.Intent{Verb: order.VerbApprove, Words: order.Lines(a.body.Feedback)}
		},
		send: func(ctx context.Context, a *attempt) (order.Order, error) {
			return j.service.Approve(ctx, a.order.ID, order.Lines(a.body.Feedback))
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
