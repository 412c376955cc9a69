package commands

import (
	"context"
	"fmt"
	"strconv"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
)

// homeOpened is somebody opening the app's Home.
func (c *Commands) homeOpened(ctx context.Context, r bot.Request) (bot.Reply, error) {
	var event struct {
		Tab string `json:"tab"`
	}
	if err := bot.Decode(r.Event, &event); err != nil {
		return bot.Reply{}, fmt.Errorf("home opened: %w", err)
	}
	if event.Tab != "home" { // the messages tab
		return bot.Ack(), nil
	}
	return bot.Ack(), c.jobs.PutHome(ctx, jobs.HomeJob+":"+r.ID, jobs.HomeArgs{Team: r.Team, User: r.User, Opened: true})
}

// homeFilter is another choice of orders, from its first page.
func (c *Commands) homeFilter(ctx context.Context, r bot.Request) error {
	filter, ok := cards.ParseHomeFilter(r.Value)
	if !ok {
		return fmt.Errorf("no orders are chosen by %q", r.Value)
	}
	return c.turnHome(ctx, r, func(s *jobs.HomeState) { *s = jobs.HomeState{Filter: filter} })
}

// homePage is another page of the same orders.
func (c *Commands) homePage(ctx context.Context, r bot.Request) error {
	page, err := strconv.Atoi(r.Value)
	if err != nil || page < 0 {
		return fmt.Errorf("no page is called %q", r.Value)
	}
	return c.turnHome(ctx, r, func(s *jobs.HomeState) { s.Page = page })
}

// turnHome keeps what the person wants to see and publishes it.
func (c *Commands) turnHome(ctx context.Context, r bot.Request, turn func(*jobs.HomeState)) error {
	state, _, err := c.jobs.HomeState(ctx, r.Team, r.User)
	if err != nil {
		return err
	}
	turn(&state)
	if err := c.store.Note(ctx, jobs.HomeNote(r.Team, r.User), state, jobs.HomeLife); err != nil {
		return err
	}
	return c.jobs.PutHome(ctx, jobs.HomeJob+":"+r.ID, jobs.HomeArgs{Team: r.Team, User: r.User})
}
