package upstream

import (
	"context"
	"net/http"

	"darkroom/order"
)

// Approve closes an order in review. The feedback may be empty.
func (c *Client) Approve(ctx context.Context, id string, feedback []string) (order.Order, error) {
	p := params{}
	p.lines("feedback", order.NonBlank(feedback))
	return c.order(ctx, request{op: "approve", method: http.MethodPost, id: id, verb: "/approve", params: p, want: order.StatusClosed})
}
