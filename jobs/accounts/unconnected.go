package accounts

import (
	"context"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/order"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// Unconnected is the order service of a workspace without an account. Each call fails with [order.ErrUnavailable] and
// [tenants.ErrNotConnected], and sends nothing.
type Unconnected struct{}

func unconnected(op string) error {
	return &order.Error{Op: op, Outcome: order.ErrUnavailable, Cause: tenants.ErrNotConnected}
}

// Balance fails.
func (Unconnected) Balance(context.Context) (decimal.Decimal, error) {
	return decimal.Zero, unconnected("balance")
}

// List fails.
func (Unconnected) List(context.Context, order.Filter) (order.Page, error) {
	return order.Page{}, unconnected("list")
}

// Fetch fails.
func (Unconnected) Fetch(context.Context, string) (order.Order, error) {
	return order.Order{}, unconnected("fetch")
}

// Create fails.
func (Unconnected) Create(context.Context, upstream.NewOrder) (order.Order, error) {
	return order.Order{}, unconnected("create")
}

// Approve fails.
func (Unconnected) Approve(context.Context, string, []string) (order.Order, error) {
	return order.Order{}, unconnected("approve")
}

// Cancel fails.
func (Unconnected) Cancel(context.Context, string, []string) (order.Order, error) {
	return order.Order{}, unconnected("cancel")
}

// Revise fails.
func (Unconnected) Revise(context.Context, string, map[string][]string) (order.Order, error) {
	return order.Order{}, unconnected("revise")
}

// Message fails.
func (Unconnected) Message(context.Context, string, string) (order.Order, error) {
	return order.Order{}, unconnected("message")
}

// AddReferences fails.
func (Unconnected) AddReferences(context.Context, string, []upstream.RefImage) (order.Order, error) {
	return order.Order{}, unconnected("reference")
}

// Timeout is short, because no request is ever sent.
func (Unconnected) Timeout() time.Duration { return time.Second }
