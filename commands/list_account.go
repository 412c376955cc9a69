package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// accountPage is a page of the service's own list, with its own filters; for operators.
func (c *Commands) accountPage(ctx context.Context, r bot.Request, l listing) (cards.Message, error) {
	if err := c.operatorsOnly(ctx, r, "list the orders of the whole account"); err != nil {
		return cards.Message{}, err
	}
	filter, problem := l.filter()
	if problem != "" {
		return cards.ListProblem(problem, strings.TrimSpace(r.Args)), nil
	}
	page, err := c.service.List(ctx, filter)
	if err != nil {
		return cards.Message{}, err
	}
	shown := cards.AccountListing{
		Total: page.Total, Page: l.Page, Pages: max(page.TotalPages, 1), Status: l.Status, Customer: l.Customer,
		Keywords: l.Words, Newer: l.otherPage(-1, page.TotalPages), Older: l.otherPage(1, page.TotalPages),
	}
	shown.Orders, err = c.owned(ctx, c.access.Viewer(r), page.Orders)
	return cards.AccountList(shown), err
}

// owned adds to each order the channel that follows it, if this person may see it there;
// of an order that they may not see nothing is told, as of one that nobody follows.
func (c *Commands) owned(ctx context.Context, s *access.Viewer, orders []order.Order) ([]cards.AccountOrder, error) {
	rows := make([]cards.AccountOrder, len(orders))
	for i, o := range orders {
		rows[i].Order = o
		t, err := c.store.Order(ctx, o.ID)
		if errors.Is(err, store.ErrNotTracked) || err == nil && t.Untracked {
			continue
		}
		if err != nil {
			return nil, err
		}
		see, err := s.Sees(ctx, t)
		if err != nil {
			return nil, err
		}
		if see {
			rows[i].Channel = t.Owner.Channel
		}
	}
	return rows, nil
}

// filter is the listing in the service's terms, or what of it the service cannot do.
func (l listing) filter() (order.Filter, string) {
	f := order.Filter{CustomerID: l.Customer, Keywords: l.Words, Page: l.Page + 1}
	status, named := statusNames()[l.Status]
	switch {
	case named && status.Listed():
		f.Status = string(status)
	case l.Status != "" && l.Status != "all":
		return f, fmt.Sprintf("The service has no list of its own for “%s”: it offers all, editing, revising, paused, reviewing and closed", l.Status)
	}
	var short []string
	for _, word := range l.Words {
		if utf8.RuneCountInString(word) < order.MinKeyword {
			short = append(short, "“"+word+"”")
		}
	}
	if len(short) > 0 {
		return f, fmt.Sprintf("Too short to search for: %s. The service searches for words of at least %d characters; please leave it out or use a longer one", strings.Join(short, ", "), order.MinKeyword)
	}
	return f, ""
}
