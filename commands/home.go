package commands

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

const homeJob = "home"

// homeLife is how long a person's choice is kept, and their Home kept current after what
// they do themselves, since they last looked at it.
const homeLife = 30 * 24 * time.Hour

// homeState is what a person chose to see in their Home. That it is kept tells that they
// ever opened it.
type homeState struct {
	Filter cards.HomeFilter `json:"filter,omitzero"`
	Page   int              `json:"page,omitempty"` // from 0
}

func homeNote(team, user string) string { return "home:" + team + ":" + user }

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
	return bot.Ack(), c.putHome(ctx, homeJob+":"+r.ID, homing{Team: r.Team, User: r.User, Opened: true})
}

// homeFilter is another choice of orders, from its first page.
func (c *Commands) homeFilter(ctx context.Context, r bot.Request) error {
	filter, ok := cards.ParseHomeFilter(r.Value)
	if !ok {
		return fmt.Errorf("no orders are chosen by %q", r.Value)
	}
	return c.turnHome(ctx, r, func(s *homeState) { *s = homeState{Filter: filter} })
}

// homePage is another page of the same orders.
func (c *Commands) homePage(ctx context.Context, r bot.Request) error {
	page, err := strconv.Atoi(r.Value)
	if err != nil || page < 0 {
		return fmt.Errorf("no page is called %q", r.Value)
	}
	return c.turnHome(ctx, r, func(s *homeState) { s.Page = page })
}

// turnHome keeps what the person wants to see and publishes it.
func (c *Commands) turnHome(ctx context.Context, r bot.Request, turn func(*homeState)) error {
	state, _, err := c.homeState(ctx, r.Team, r.User)
	if err != nil {
		return err
	}
	turn(&state)
	if err := c.store.Note(ctx, homeNote(r.Team, r.User), state, homeLife); err != nil {
		return err
	}
	return c.putHome(ctx, homeJob+":"+r.ID, homing{Team: r.Team, User: r.User})
}

// homeChanged publishes a person's Home anew after something they did, if they ever
// opened it; no failure of it matters.
func (c *Commands) homeChanged(ctx context.Context, team, user string) {
	_, opened, err := c.homeState(ctx, team, user)
	if err == nil && opened {
		id := fmt.Sprintf("%s:%s:%s:%d", homeJob, team, user, time.Now().UnixNano())
		err = c.putHome(ctx, id, homing{Team: team, User: user})
	}
	if err != nil {
		c.log.WarnContext(ctx, "home not published anew", "user", user, "err", err)
	}
}

// homeState is what a person chose last, and whether they ever opened their Home.
func (c *Commands) homeState(ctx context.Context, team, user string) (state homeState, opened bool, err error) {
	err = c.store.Noted(ctx, homeNote(team, user), &state)
	if errors.Is(err, store.ErrNoNote) {
		return homeState{}, false, nil
	}
	return state, err == nil, err
}

// putHome puts the job; one person's Home is published by one job at a time, so that the
// newest choice is what they see in the end.
func (c *Commands) putHome(ctx context.Context, id string, body homing) error {
	return c.put(ctx, homeJob, id, homeJob+":"+body.Team+":"+body.User, body)
}
