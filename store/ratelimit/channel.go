package ratelimit

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
	"darkroom/store/script"
)

// Channels limits the posts to each Slack channel, of all replicas together, by the clock of Redis.
type Channels struct {
	rdb   redis.UniversalClient
	space keyspace.Keyspace
}

// NewChannels returns the limits that all replicas share in a keyspace.
func NewChannels(rdb redis.UniversalClient, space keyspace.Keyspace) *Channels {
	return &Channels{rdb, space}
}

// lateness is the part of an interval by which a slot may be used late without delaying the next ones. Two posts are
// never closer than the rest of the interval.
const lateness = 0.005

// Reserve takes the slot to post to channel if it has come: then wait is 0, and the next slot comes after every.
// Otherwise it takes nothing and returns the time until the slot. A slot that is used up to five thousandths of
// every late does not delay the next one.
func (l *Channels) Reserve(ctx context.Context, channel string, every time.Duration) (wait time.Duration, err error) {
	return l.turn(ctx, channel, every, false)
}

// Delay returns the time until the next slot; 0: now.
func (l *Channels) Delay(ctx context.Context, channel string) (time.Duration, error) {
	return l.turn(ctx, channel, 0, false)
}

// Block allows no slot for that long.
func (l *Channels) Block(ctx context.Context, channel string, wait time.Duration) error {
	_, err := l.turn(ctx, channel, wait, true)
	return err
}

func (l *Channels) turn(ctx context.Context, channel string, d time.Duration, block bool) (time.Duration, error) {
	keys := script.Keys{"turn": l.space.Key("pace", channel)}
	ms, err := scripts.Run(ctx, l.rdb, "turn", keys, script.Args{"ms": d, "block": block, "late": time.Duration(lateness * float64(d))}).Int64()
	return time.Duration(ms) * time.Millisecond, about("pace of", channel, err)
}
