package upstream

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"darkroom/order"
)

// Fetch reads one order with its edited images.
func (c *Client) Fetch(ctx context.Context, id string) (order.Order, error) {
	return c.order(ctx, request{op: "fetch", method: http.MethodGet, id: id})
}

// order performs an operation on an existing order. It checks that the answer is about that order and, after a
// write, has the wanted status.
func (c *Client) order(ctx context.Context, r request) (order.Order, error) {
	if err := checkID(r.id); err != nil {
		return order.Order{}, err
	}
	if r.path == "" {
		r.path = "/orders/" + url.PathEscape(r.id) + r.verb
	}
	return ask(ctx, c, r, r.order)
}

// checkID rejects an ID that cannot be a path segment: servers resolve dots even when they are escaped.
func checkID(id string) error {
	if strings.TrimSpace(id) == "" || id == "." || id == ".." {
		return &order.InputError{Problem: "This is not an order id."}
	}
	return nil
}

// orderOf reads the one order in data: an object, or an array with one. Its fields may have any value.
func orderOf(data []byte) order.Order {
	var w wireOrder
	if !single(data, &w) {
		return order.Order{}
	}
	return w.order()
}
