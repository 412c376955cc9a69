package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// minKeyword is the least length of a keyword in characters.
const minKeyword = 6

// Filter narrows a list of orders. Its zero value is the first page of all.
type Filter struct {
	Status     string // "all", or a status other than canceled; "": all
	CustomerID string
	Keywords   []string // each of six characters or more
	Page       int      // from 1; 0 = 1
}

// Page is one page of the account's orders, newest first. A number that the
// answer did not say is 0.
type Page struct {
	Orders     []Order
	PerPage    int
	Current    int
	TotalPages int
	Total      int // orders on all pages
}

// List reads one page of the account's orders. An order on it that cannot be
// read makes the page an error: a page that silently lacks an order would let
// a search conclude that the order does not exist.
func (c *Client) List(ctx context.Context, f Filter) (Page, error) {
	p, err := listParams(f)
	if err != nil {
		return Page{}, err
	}
	r := request{op: "list", method: http.MethodGet, path: "/orders", params: p}
	a, err := c.call(ctx, r)
	if err != nil {
		return Page{}, err
	}
	page, err := a.form.page()
	if err != nil {
		return Page{}, a.unclear(r, err)
	}
	return page, nil
}

func listParams(f Filter) (params, error) {
	for _, word := range f.Keywords {
		if utf8.RuneCountInString(strings.TrimSpace(word)) < minKeyword {
			return nil, &InputError{FieldKeywords, fmt.Sprintf("%q is too short: a keyword needs %d characters.", word, minKeyword), ErrKeywordTooShort}
		}
	}
	if err := checkCustomerID(f.CustomerID); err != nil {
		return nil, err
	}
	p := params{}
	p.text("filter_status", f.Status)
	p.text("filter_customer_id", f.CustomerID)
	p.lines("filter_keywords", spoken(f.Keywords))
	p.number("page", f.Page)
	return p, nil
}

func (f form) page() (Page, error) {
	page := Page{PerPage: f.PerPage.n, Current: f.CurrentPage.n, TotalPages: f.TotalPages.n, Total: f.TotalResults.n}
	var rows many[json.RawMessage]
	if json.Unmarshal(f.Data, &rows) != nil || rows == nil {
		return Page{}, errors.New("an answer without a list of orders")
	}
	page.Orders = make([]Order, 0, len(rows))
	for _, row := range rows {
		o, _ := orderOf(row)
		if o.ID == "" {
			return Page{}, errors.New("a list with an order that has no id")
		}
		page.Orders = append(page.Orders, o)
	}
	return page, nil
}
