package accounts

import (
	"context"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/order"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// Unconnected is the order service of a workspace that has no account: nothing leaves, and it may be tried later.
type Unconnected struct{}

func unconnected(op string) error {
	return &order.Error{Op: op, Outcome: order.ErrUnavailable, Cause: tenants.ErrNotConnected}
}

// Balance is not to be had.
func (Unconnected) Balance(context.Context) (decimal.Decimal, error) {
	return decimal.Zero, unconnected("balance")
}

// List shows nothing.
func (Unconnected) List(context.Context, order.Filter) (order.Page, error) {
	return order.Page{}, unconnected("list")
}

// Fetch finds nothing.
func (Unconnected) Fetch(context.Context, string) (order.Order, error) {
	return order.Order{}, unconnected("fetch")
}

// Create places nothing.
func (Unconnected) Create(context.Context, upstream.NewOrder) (order.Order, error) {
	return order.Order{}, unconnected("create")
}

// Approve approves nothing.
func (Unconnected) Approve(context.Context, string, []string) (order.Order, error) {
	return order.Order{}, unconnected("approve")
}

// Cancel cancels nothing.
func (Unconnected) Cancel(context.Context, string, []string) (order.Order, error) {
	return order.Order{}, unconnected("cancel")
}

// Revise asks for nothing.
func (Unconnected) Revise(context.Context, string, map[string][]string) (order.Order, error) {
	return order.Order{}, unconnected("revise")
}

// Message sends nothing.
func (Unconnected) Message(context.Context, string, string) (order.Order, error) {
	return order.Order{}, unconnected("message")
}

// AddReferences adds nothing.
func (Unconnected) AddReferences(context.Context, string, []upstream.RefImage) (order.Order, error) {
	return order.Order{}, unconnected("reference")
}

// Timeout is short: nothing is under way.
func (Unconnected) Timeout() time.Duration { return time.Second }
