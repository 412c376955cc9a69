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

// Take takes the next turn to post to channel; after it there is none for every. Or it
// says how long until the next one.
func (p *Pace) Take(ctx context.Context, channel string, every time.Duration) (time.Duration, error) {
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
	ms, err := script.Run(ctx, p.rdb, []string{paceKey(channel)}, d.Milliseconds()).Int64()
	if err != nil {
		return 0, fmt.Errorf("pace of %s: %w", channel, err)
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// turnLua begins the scripts below: now is Redis's time in ms, left the ms until KEYS[1]'s
// next turn, and close(ms) says that there is none until then.
const turnLua = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local left = math.max(0, tonumber(redis.call('GET', KEYS[1]) or 0) - now)
local function close(ms)
  if ms > left then redis.call('SET', KEYS[1], now + ms, 'PX', ms) end
end
`

// KEYS: 1 the channel's next turn. ARGV: 1 ms between two turns. Returns 0, or the ms until
// the next turn.
var takeTurnScript = redis.NewScript(turnLua + `
if left == 0 then close(tonumber(ARGV[1])) end
return left
`)

// KEYS: 1 the channel's next turn. Returns the ms until then.
var turnLeftScript = redis.NewScript(turnLua + `return left`)

// KEYS: 1 the channel's next turn. ARGV: 1 ms without a turn. Returns 0.
var holdTurnScript = redis.NewScript(turnLua + `
close(tonumber(ARGV[1]))
return 0
`)
