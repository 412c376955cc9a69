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

var (
	activateScript     = newScript("activate", timeLua, ownershipLua)
	noteFinishedScript = newScript("note_finished", timeLua)
)

// activateArgs are the argument of activate.lua.
type activateArgs struct {
	ID      string `json:"id"`
	Version int64  `json:"version,string"` // that must hold
	Active  string `json:"active"`         // entry among the active orders
}

// noteFinishedArgs are the argument of note_finished.lua.
type noteFinishedArgs struct {
	ID      string `json:"id"`
	Version int64  `json:"version,string"` // that must hold
	At      string `json:"at"`             // ms; "": now
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
		return orderError(id, s.script(ctx, activateScript, activeKeys(id), activateArgs{id, o.Version, entry}).Err())
	}
	since := o.Order.ClosedAt
	if since.IsZero() {
		since = o.Order.CanceledAt
	}
	at := "" // now
	if !since.IsZero() {
		at = strconv.FormatInt(since.UnixMilli(), 10)
	}
	keys := []string{orderKey(id), finishedKey(), shrunkKey()}
	return orderError(id, s.script(ctx, noteFinishedScript, keys, noteFinishedArgs{id, o.Version, at}).Err())
}
