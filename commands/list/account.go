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

// ordersService lists the account's orders.
type ordersService interface {
	List(ctx context.Context, f order.Filter) (order.Page, error)
}

// accountPage returns a page of the service's own list, for operators.
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
	shown.Orders, err = c.withChannels(ctx, c.access.Viewer(r), page.Orders)
	return cards.AccountList(shown), err
}

// withChannels adds to each order the channel that tracks it. Hidden and untracked orders get none, so that they look
// the same.
func (c *Handler) withChannels(ctx context.Context, s *access.Viewer, orders []order.Order) ([]cards.AccountOrder, error) {
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
