package commands

import (
	"context"
	"errors"

	"darkroom/bot"
)

var errNotBuilt = errors.New("not built yet")

// suggestOrders answers the external select of a picker with the orders that fit what
// was typed, on the ack path.
func (c *Commands) suggestOrders(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return bot.Suggest(), nil
}

// picked goes on with the order that was picked: the action's name holds the verb.
func (c *Commands) picked(ctx context.Context, r bot.Request) error { return errNotBuilt }
