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

// home answers the app's Home.
type home struct {
	jobs     *jobs.Jobs
	readOnly *answer.ReadOnly
}

// homeOpened is somebody opening the app's Home.
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
	r.Channel = "" // that of the messages tab: nobody looks there now
	return c.readOnly.Answer(ctx, r, c.jobs.Home.Open)
}

// homeFilter is another choice of orders, from its first page.
func (c *home) homeFilter(ctx context.Context, r bot.Request) error {
	filter, ok := cardshome.ParseFilter(r.Value)
	if !ok {
		return fmt.Errorf("no orders are chosen by %q", r.Value)
	}
	return c.jobs.Home.Show(ctx, r, func(s *jobs.HomeState) { *s = jobs.HomeState{Filter: filter} })
}

// homePage is another page of the same orders.
func (c *home) homePage(ctx context.Context, r bot.Request) error {
	page, err := strconv.Atoi(r.Value)
	if err != nil || page < 0 {
		return fmt.Errorf("no page is called %q", r.Value)
	}
	return c.jobs.Home.Show(ctx, r, func(s *jobs.HomeState) { s.Page = page })
}
