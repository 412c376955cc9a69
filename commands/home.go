package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/store/queue"
)

const homeJob = "home"

// homeOpened is somebody opening the app's Home.
func (c *Commands) homeOpened(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Ack(), nil
}

func (c *Commands) publishHome(ctx context.Context, d *queue.Delivery) error { return errNotBuilt }

func (c *Commands) homeFilter(ctx context.Context, r bot.Request) error { return errNotBuilt }

func (c *Commands) homePage(ctx context.Context, r bot.Request) error { return errNotBuilt }

// homeChanged publishes a person's Home anew after something they did, if they ever
// opened it; no failure of it matters.
func (c *Commands) homeChanged(ctx context.Context, team, user string) {}
