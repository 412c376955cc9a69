package ratelimit

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
	"darkroom/store/script"
)

// Channels keeps the posts to each Slack channel apart, of all replicas together, by the clock
// of Redis: whichever of them works on a channel next, Slack sees one pace.
type Channels struct {
	rdb   redis.UniversalClient
	space keyspace.Keyspace
}

// NewChannels returns the pace that all replicas share in a keyspace.
func NewChannels(rdb redis.UniversalClient, space keyspace.Keyspace) *Channels {
	return &Channels{rdb, space}
}

// lateness is the part of a pace that a turn may be taken late without putting off those behind it:
// two posts are never closer than the rest.
const lateness = 0.005

// Reserve takes the turn to post to channel, when it has come (wait is 0), and puts the next one off
// by every. When it has not come it takes nothing, and says how long until then. Of a turn that is taken
// late five thousandths of every are forgiven: the next one comes so much sooner, and not before it would have.
func (l *Channels) Reserve(ctx context.Context, channel string, every time.Duration) (wait time.Duration, err error) {
	return l.turn(ctx, channel, every, false)
}

// Delay says how long until the next turn; 0: now.
func (l *Channels) Delay(ctx context.Context, channel string) (time.Duration, error) {
	return l.turn(ctx, channel, 0, false)
}

// Block says that there is no turn for that long.
func (l *Channels) Block(ctx context.Context, channel string, wait time.Duration) error {
	_, err := l.turn(ctx, channel, wait, true)
	return err
}

func (l *Channels) turn(ctx context.Context, channel string, d time.Duration, block bool) (time.Duration, error) {
	keys := script.Keys{"turn": l.space.Key("pace", channel)}
	ms, err := scripts.Run(ctx, l.rdb, "turn", keys, script.Args{"ms": d, "block": block, "late": time.Duration(lateness * float64(d))}).Int64()
	return time.Duration(ms) * time.Millisecond, about("pace of", channel, err)
}
