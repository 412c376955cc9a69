package store

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
)

// PlacingWaits names the note that a new order waits for a service which does not answer. With nothing else to ask it for,
// a poll asks whether it does.
const PlacingWaits = "placing-waits"

// Busy tells of each of these keyspaces whether a poll of it has something to do: there is an order that can change, a
// channel that does not show all yet, or one that is told what time brings, or a new order waits for the service. It is one command each, all sent at
// once, and what it goes by is the record itself: there is no sign that could be left behind.
func Busy(ctx context.Context, rdb redis.UniversalClient, spaces []keyspace.Keyspace) ([]bool, error) {
	if len(spaces) == 0 {
		return nil, nil
	}
	there := make([]*redis.IntCmd, len(spaces))
	_, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, space := range spaces {
			there[i] = p.Exists(ctx, space.Key("active"), space.Key("lagging"), space.Key("reminding"), space.Key("note", PlacingWaits))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("busy: %w", err)
	}
	busy := make([]bool, len(spaces))
	for i, n := range there {
		busy[i] = n.Val() > 0
	}
	return busy, nil
}
