package commands

import (
	"context"
	"fmt"
	"strconv"

	"darkroom/bot"
	"darkroom/bot/lenient"
	cardshome "darkroom/cards/home"
	"darkroom/commands/answer"
	"darkroom/jobs"
)

// home handles the app's Home tab.
type home struct {
	jobs     *jobs.Jobs
	readOnly *answer.ReadOnly
}

// homeOpened handles a visit to the Home tab.
func (c *home) homeOpened(ctx context.Context, r bot.Request) (bot.Reply, error) {
	var event struct {
		Tab string `json:"tab"`
	}
	if err := lenient.Decode(r.Event, &event); err != nil {
		return bot.Reply{}, fmt.Errorf("home opened: %w", err)
	}
	if event.Tab != "home" { // the messages tab
		return bot.Ack(), nil
	}
	r.Channel = "" // the event names the messages tab's channel, which is not open
	return c.readOnly.Answer(ctx, r, c.jobs.Home.Open)
}

// homeFilter shows the first page of another choice of orders.
func (c *home) homeFilter(ctx context.Context, r bot.Request) error {
	filter, ok := cardshome.ParseFilter(r.Value)
	if !ok {
		return fmt.Errorf("no orders are chosen by %q", r.Value)
	}
	return c.jobs.Home.Show(ctx, r, func(s *jobs.HomeState) { *s = jobs.HomeState{Filter: filter} })
}

// homePage shows another page of the same orders.
func (c *home) homePage(ctx context.Context, r bot.Request) error {
	page, err := strconv.Atoi(r.Value)
	if err != nil || page < 0 {
		return fmt.Errorf("no page is called %q", r.Value)
	}
	return c.jobs.Home.Show(ctx, r, func(s *jobs.HomeState) { s.Page = page })
}
