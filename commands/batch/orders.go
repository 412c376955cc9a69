package batch

import (
	"context"
	"errors"

	"darkroom/bot"
	cardsbatch "darkroom/cards/batch"
	"darkroom/commands/answer"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// Orders lists the orders of a batch that the person may see, in a window. A paging button replaces its page.
func (c *Handler) Orders(ctx context.Context, r bot.Request) error {
	id, page := cardsbatch.PageAsked(r.Name, r.Value)
	fill := func(ctx context.Context, window string) (answers.ViewFunc, error) {
		shown, err := c.visible(ctx, r, id)
		return answer.Static(cardsbatch.Orders(shown, page, window)), err
	}
	if r.View == nil {
		return c.windows.Open(ctx, r, "batch-orders", cardsbatch.TitleOrders, fill)
	}
	view, err := fill(ctx, r.View.ExternalID)
	if err != nil {
		return err
	}
	return c.windows.Fill(ctx, r.View.ExternalID, "", view)
}

// visible returns a batch with the orders that the person may see.
func (c *Handler) visible(ctx context.Context, r bot.Request, id string) (shown cardsbatch.Channel, err error) {
	shown.Card, err = c.cards.Card(ctx, id)
	if errors.Is(err, store.ErrNoBatchCard) {
		return shown, answer.Refuse(cardsbatch.CardGone, "")
	}
	if err != nil {
		return shown, err
	}
	orders, err := c.cards.Orders(ctx, shown.Card)
	if err != nil {
		return shown, err
	}
	viewer := c.access.FreshViewer(r)
	for _, t := range orders {
		if viewer.Shows(ctx, t) {
			shown.Orders = append(shown.Orders, t)
		}
	}
	if viewer.Err == nil && len(shown.Orders) == 0 {
		shown.Card.Name = ""
	}
	return shown, viewer.Err
}
