package list

import (
	"context"
	"errors"
	"strings"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// ordersService lists the orders of the account.
type ordersService interface {
	List(ctx context.Context, f order.Filter) (order.Page, error)
}

// accountPage is a page of the service's own list, with its own filters; for operators.
func (c *Handler) accountPage(ctx context.Context, r bot.Request, l listing) (kit.Message, error) {
	if err := c.guard.OperatorsOnly(ctx, r, "list the orders of the whole account"); err != nil {
		return kit.Message{}, err
	}
	filter, problem := l.filter()
	if problem != "" {
		return cards.ListProblem(problem, strings.TrimSpace(r.Args)), nil
	}
	page, err := c.service.List(ctx, filter)
	if err != nil {
		return kit.Message{}, err
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
func (c *Handler) owned(ctx context.Context, s *access.Viewer, orders []order.Order) ([]cards.AccountOrder, error) {
	rows := make([]cards.AccountOrder, len(orders))
	for i, o := range orders {
		rows[i].Order = o
		t, err := c.orders.Order(ctx, o.ID)
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
