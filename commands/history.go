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
	Verb: "history", Usage: "history [ID]", Does: "shows all that happened to an order: who asked for what, and when",
	Example: "history K7Q2XM",
}

// history answers with a page of an order's whole history: a line among the channel's messages, a button
// of a modal in one. A button below a page puts another in its place.
func (c *details) history(ctx context.Context, r bot.Request) error {
	page, turns := historyPage(r)
	if r.Kind == bot.KindAction && r.View != nil && r.View.Type == "modal" && !turns {
		return c.windows.Open(ctx, r, "history", cards.TitleHistory, func(ctx context.Context, window string) (answers.ViewFunc, error) {
			t, events, err := c.eventsOf(ctx, r, resolve.Ref{ID: orderIn(r)})
			return answer.Plain(cards.HistoryWindow(t, events, page, window)), err
		})
	}
	p, err := c.finder.Name(ctx, r, "history")
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
	case turns && r.View != nil:
		return c.windows.Fill(ctx, r, r.View.ExternalID, "", answer.Plain(cards.HistoryWindow(t, events, page, r.View.ExternalID)))
	case turns:
		return c.answers.Replace(ctx, r, cards.History(t, events, page))
	}
	return c.answers.Send(ctx, r, cards.History(t, events, page))
}

// historyPage is the page that a button asks for, and whether it stood below another.
func historyPage(r bot.Request) (page int, turns bool) {
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

// eventsOf is the order that is meant, when this person may see it, and what happened to it.
func (c *details) eventsOf(ctx context.Context, r bot.Request, p resolve.Ref) (t store.Tracked, events []order.Event, err error) {
	t, err = c.finder.Visible(ctx, r, p)
	if err != nil {
		return t, nil, err
	}
	events, err = c.orders.Events(ctx, t.ID)
	return t, events, err
}
