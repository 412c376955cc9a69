package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/queue"
)

// The walk goes through all orders once a day, a page each time that Tend is called, and notes
// those as finished that no step has noted: an order that closed under an older version of
// ours, or while one still ran beside this. Nobody else finds them: they are not active. One
// that can still change is made active again: older versions gave up for good what was gone.
const (
	walkPage = 500
	walkLife = 24 * time.Hour
	walkDone = "done"
)

// walk goes on from where the last call came to; "" begins anew.
func (s *Store) walk(ctx context.Context, walked string) error {
	if walked == walkDone {
		return nil
	}
	cursor, err := strconv.ParseUint(walked, 10, 64)
	if err != nil && walked != "" {
		return fmt.Errorf("walk: %w", err)
	}
	node, err := s.node(ctx)
	if err != nil {
		return fmt.Errorf("walk: %w", err)
	}
	keys, next, err := node.Scan(ctx, cursor, orderKey("*"), walkPage).Result()
	if err != nil {
		return fmt.Errorf("walk: %w", err)
	}
	var errs []error
	for _, key := range keys {
		errs = append(errs, s.noteFinished(ctx, strings.TrimPrefix(key, orderKey(""))))
	}
	failed := errors.Join(errs...)
	if ctx.Err() != nil || queue.Away(failed) {
		return failed // this page again
	}
	to := walkDone
	if next != 0 {
		to = strconv.FormatUint(next, 10)
	}
	return errors.Join(failed, s.rdb.Set(ctx, walkKey(), to, walkLife).Err())
}

// node is the one Redis that has our keys: a cluster's client would ask any.
func (s *Store) node(ctx context.Context) (redis.Cmdable, error) {
	if cluster, ok := clustered(s.rdb); ok {
		return cluster.MasterForKey(ctx, walkKey())
	}
	return s.rdb, nil
}

// noteFinished notes an order as finished, since when the service says, if it is.
func (s *Store) noteFinished(ctx context.Context, id string) error {
	active, err := s.rdb.HExists(ctx, activeKey(), id).Result()
	if err != nil || active {
		return orderError(id, err)
	}
	o, err := s.load(ctx, id)
	if errors.Is(err, ErrNotTracked) {
		return nil
	}
	if err != nil {
		return err
	}
	if entry := activeEntry(o.Tracked); entry != "" {
		return orderError(id, activeScript.Run(ctx, s.rdb, []string{orderKey(id), activeKey()}, o.Version, id, entry).Err())
	}
	since := o.Order.ClosedAt
	if since.IsZero() {
		since = o.Order.CanceledAt
	}
	at := "" // now
	if !since.IsZero() {
		at = strconv.FormatInt(since.UnixMilli(), 10)
	}
	return orderError(id, noteFinishedScript.Run(ctx, s.rdb, s.finishedKeys(id), o.Version, id, at).Err())
}

// KEYS: 1 order, 2 the active orders. ARGV: 1 version that must hold, 2 order id, 3 entry among
// the active. Returns 1, or 0 when the version is another.
var activeScript = redis.NewScript(ownLua + `
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
own_active(KEYS[2], ARGV[2], ARGV[3])
return 1
`)

// KEYS: see finishedLua. ARGV: 1 version that must hold, 2 order id, 3 since when in ms, "" now.
// Returns 1, or 0 when it was noted before or the version is another.
var noteFinishedScript = redis.NewScript(finishedLua + `
local id, at = ARGV[2], ARGV[3]
if redis.call('HGET', order, 'version') ~= ARGV[1] then return 0 end
if redis.call('ZSCORE', shrunk, id) or redis.call('ZSCORE', finished, id) then return 0 end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
if at == '' or tonumber(at) > now then at = now end
redis.call('ZADD', finished, at, id)
return 1
`)
