package upstream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"darkroom/order"
)

// List reads one page of the account's orders. An unreadable order makes the page an error. A page that
// silently lacks an order would let a search conclude that the order does not exist.
func (c *Client) List(ctx context.Context, f order.Filter) (order.Page, error) {
	for _, word := range f.Keywords {
		if utf8.RuneCountInString(strings.TrimSpace(word)) < order.MinKeyword {
			return order.Page{}, &order.InputError{Problem: fmt.Sprintf("%q is too short: a keyword needs %d characters.", word, order.MinKeyword)}
		}
	}
	if err := checkCustomerID(f.CustomerID); err != nil {
		return order.Page{}, err
	}
	p := params{
		"filter_status": f.Status, "filter_customer_id": f.CustomerID, "filter_keywords": order.NonBlank(f.Keywords),
		"page": int64(max(0, f.Page)),
	}
	return ask(ctx, c, request{op: "list", method: http.MethodGet, path: "/orders", params: p}, form.page)
}

// mostRows is the most orders of a page; the interface says 20.
const mostRows = 200

func (f form) page() (order.Page, error) {
	page := order.Page{PerPage: f.PerPage.n, Current: f.CurrentPage.n, TotalPages: f.TotalPages.n, Total: f.TotalResults.n}
	rows, list := elements(f.Data)
	if !list {
		return order.Page{}, errors.New("an answer without a list of orders")
	}
	page.Orders = []order.Order{}
	for row := range rows {
		if row[0] == 'n' {
			continue
		}
		o := orderOf(row)
		switch {
		case o.ID == "":
			return order.Page{}, errors.New("a list with an order that has no id")
		case len(page.Orders) == mostRows:
			return order.Page{}, fmt.Errorf("a page of more than %d orders", mostRows)
		}
		page.Orders = append(page.Orders, o)
	}
	return page, nil
}
