package job

import (
	"context"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/order"
	"darkroom/upstream"
)

// Service is the order service as jobs and read-only requests use it.
type Service interface {
	Balance(ctx context.Context) (decimal.Decimal, error)
	List(ctx context.Context, f order.Filter) (order.Page, error)
	Fetch(ctx context.Context, id string) (order.Order, error)
	Create(ctx context.Context, o upstream.NewOrder) (order.Order, error)
	Approve(ctx context.Context, id string, feedback []string) (order.Order, error)
	Cancel(ctx context.Context, id string, reason []string) (order.Order, error)
	Revise(ctx context.Context, id string, instructions map[string][]string) (order.Order, error)
	Message(ctx context.Context, id, text string) (order.Order, error)
	AddReferences(ctx context.Context, id string, images []upstream.RefImage) (order.Order, error)
	Timeout() time.Duration // of one request: an unanswered write may be carried out until then
}
