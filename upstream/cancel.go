package upstream

import (
	"context"
	"net/http"

	"darkroom/order"
)

// Cancel takes a newly placed order back, within the time that the service
// allows. The reason may be empty.
func (c *Client) Cancel(ctx context.Context, id string, reason []string) (order.Order, error) {
	p := params{}
	p.text("order_id", id)
	p.lines("cancel_reason", order.NonBlank(reason))
	return c.order(ctx, request{op: "cancel", method: http.MethodDelete, path: "/orders/cancel", id: id, params: p, want: order.StatusCanceled})
}
