package commands

import (
	"context"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/upstream"
)

// Service is what the commands ask of the order service.
type Service interface {
	Balance(ctx context.Context) (decimal.Decimal, error)
	List(ctx context.Context, f upstream.Filter) (upstream.Page, error)
	Fetch(ctx context.Context, id string) (upstream.Order, error)
	Create(ctx context.Context, o upstream.NewOrder) (upstream.Order, error)
	Approve(ctx context.Context, id string, feedback []string) (upstream.Order, error)
	Cancel(ctx context.Context, id string, reason []string) (upstream.Order, error)
	Revise(ctx context.Context, id string, instructions map[string][]string) (upstream.Order, error)
	Message(ctx context.Context, id, text string) (upstream.Order, error)
	AddReferences(ctx context.Context, id string, images []upstream.RefImage) (upstream.Order, error)
	Timeout() time.Duration // of one request: an unanswered write may be carried out that long
}
