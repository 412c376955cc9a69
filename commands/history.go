package commands

import (
	"context"
	"strings"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
)

var historyHelp = cards.HelpRow{
	Verb: "history", Usage: "history [ID]", Does: "shows everything that happened to an order",
	Example: "history K7Q2XM",
}

// history answers with a page of an order's history: a line in a message, a modal's button in a window. A paging button
// replaces its own page.
func (c *details) history(ctx context.Context, r bot.Request) error {
	page, paging := historyPage(r)
	if r.Kind == bot.KindAction && r.View != nil && r.View.Type == "modal" && !paging {
		return c.windows.Open(ctx, r, "history", cards.TitleHistory, func(ctx context.Context, window string) (answers.ViewFunc, error) {
			t, events, err := c.eventsOf(ctx, r, resolve.Ref{ID: orderIn(r)})
			return answer.Static(cards.HistoryWindow(t, events, page, window)), err
		})
	}
	p, err := c.finder.OrderByName(ctx, r, "history")
	if err != nil {
		return err
	}
	if p.ID == "" {
		return c.finder.AskWhich(ctx, r, "history", p)
	}
	t, events, err := c.eventsOf(ctx, r, p)
	if err != nil {
		return err
	}
	switch {
	case paging && r.View != nil:
		return c.windows.Fill(ctx, r.View.ExternalID, "", answer.Static(cards.HistoryWindow(t, events, page, r.View.ExternalID)))
	case paging:
		return c.answers.Replace(ctx, r, cards.History(t, events, page))
	}
	return c.answers.Send(ctx, r, cards.History(t, events, page))
}

// historyPage returns the page that a button asks for, and whether the button pages from another page.
func historyPage(r bot.Request) (page int, paging bool) {
	way, ours := strings.CutPrefix(r.Name, cards.ActionHistory)
	if r.Kind != bot.KindAction || !ours {
		return 0, false
	}
	_, page, _ = cards.ParseValue(r.Value)
	return page, way != "open"
}

func orderIn(r bot.Request) string {
	id, _, _ := cards.ParseValue(r.Value)
	return id
}

// eventsOf returns a visible order and its events.
func (c *details) eventsOf(ctx context.Context, r bot.Request, p resolve.Ref) (t store.Tracked, events []order.Event, err error) {
	t, err = c.finder.Visible(ctx, r, p)
	if err != nil {
		return t, nil, err
	}
	events, err = c.orders.Events(ctx, t.ID)
	return t, events, err
}
