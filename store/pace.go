package store

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// Pace keeps the posts to each Slack channel apart, of all replicas together, by the clock
// of Redis: whichever of them works on a channel next, Slack sees one pace.
type Pace struct{ rdb redis.UniversalClient }

// NewPace returns the pace that all replicas on that Redis share.
func NewPace(rdb redis.UniversalClient) *Pace { return &Pace{rdb: rdb} }

var (
	takeTurnScript = newScript("take_turn", timeLua, turnLua)
	turnLeftScript = newScript("turn_left", timeLua, turnLua)
	holdTurnScript = newScript("hold_turn", timeLua, turnLua)
)

// turnArgs are the argument of the scripts of turns.
type turnArgs struct {
	MS int64 `json:"ms,string"` // between two turns, or without one
}

// Take takes the turn to post to channel, when it has come (wait is 0), and puts the next one off
// by every. When it has not come it takes nothing, and says how long until then.
func (p *Pace) Take(ctx context.Context, channel string, every time.Duration) (wait time.Duration, err error) {
	return p.run(ctx, takeTurnScript, channel, every)
}

// Left says how long until the next turn; 0: now.
func (p *Pace) Left(ctx context.Context, channel string) (time.Duration, error) {
	return p.run(ctx, turnLeftScript, channel, 0)
}

// Hold says that there is no turn for that long.
func (p *Pace) Hold(ctx context.Context, channel string, wait time.Duration) error {
	_, err := p.run(ctx, holdTurnScript, channel, wait)
	return err
}

func (p *Pace) run(ctx context.Context, script *redis.Script, channel string, d time.Duration) (time.Duration, error) {
	ms, err := script.Run(ctx, p.rdb, []string{paceKey(channel)}, encode(turnArgs{d.Milliseconds()})).Int64()
	if err != nil {
		return 0, fmt.Errorf("pace of %s: %w", channel, err)
	}
	return time.Duration(ms) * time.Millisecond, nil
}
