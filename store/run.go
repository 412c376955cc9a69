package store

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/queue"
)

// Run is the time since Redis last started, or another server took over: what came before
// it may be forgotten in part.
type Run struct {
	ID    string    // another for each; never ""
	Since time.Time // when somebody first saw it, by the clock of Redis: it began no later
}

// Run returns the present one.
func (s *Store) Run(ctx context.Context) (Run, error) {
	values, err := runScript.Run(ctx, s.rdb, []string{runKey()}).Slice()
	if err != nil {
		return Run{}, fmt.Errorf("run of Redis: %w", err)
	}
	if len(values) != 2 {
		return Run{}, fmt.Errorf("run of Redis: %d values", len(values))
	}
	id, _ := values[0].(string)
	since, _ := values[1].(int64)
	return Run{ID: fmt.Sprintf("%s@%d", id, since), Since: time.UnixMilli(since)}, nil
}

// KEYS: 1 what was seen last: id and since. Returns the id and since when it is known, in
// ms. A server that was master before and is again, after another, began anew, and
// not at the same millisecond.
var runScript = redis.NewScript(queue.PutLua + `
local id, now = queue_run(), queue_now()
local known = redis.call('HMGET', KEYS[1], 'id', 'since')
if known[1] == id then return {id, tonumber(known[2])} end
local since = math.max(now, tonumber(known[2] or 0) + 1)
redis.call('HSET', KEYS[1], 'id', id, 'since', since)
return {id, since}
`)
