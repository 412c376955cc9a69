package chaos

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// leftovers are what the queue still holds when all should be done.
type leftovers struct {
	jobs []string
	dead []string
	lag  []string // orders whose channel does not show all
}

func (l leftovers) none() bool { return len(l.jobs) == 0 && len(l.lag) == 0 }

func (l leftovers) wrong() []string {
	var all []string
	for what, ids := range map[string][]string{"job left over": l.jobs, "dead letter": l.dead, "order whose channel lags": l.lag} {
		for _, id := range ids {
			all = append(all, what+": "+id)
		}
	}
	return all
}

// The jobs that wait for hours on purpose: the watch for an order that was given up, the end of the time in which an
// order can be canceled, and the end of a question to approvers.
func patient(id string) bool {
	return strings.HasPrefix(id, "watch:") || strings.Contains(id, ":cancel-over:") || strings.HasPrefix(id, "held:") && strings.HasSuffix(id, ":ends")
}

// spent tells a job that takes off an order's card what waits for the service, when nothing is noted any more
// that waits: it comes some minutes later all the same, and finds nothing to do.
func (w *world) spent(ctx context.Context, id string) (bool, error) {
	of, _, is := strings.Cut(strings.TrimPrefix(id, "announce:"), ":")
	if !is || !strings.Contains(id, ":waits-over:") {
		return false, nil
	}
	waits, err := w.redis.rdb.HGet(ctx, "{darkroom}:order:"+of, "waits").Result()
	if errors.Is(err, redis.Nil) {
		err = nil
	}
	return waits == "", err
}

// left asks Redis what there is still to do. looks counts the later looks for doubles too.
func (w *world) left(ctx context.Context, looks bool) (leftovers, error) {
	var l leftovers
	rdb, key := w.redis.rdb, func(part string) string { return "{darkroom}:q:" + part }
	lanes, err := rdb.HKeys(ctx, key("tokens")).Result()
	if err != nil {
		return l, err
	}
	for _, lane := range lanes {
		ids, err := rdb.LRange(ctx, key("lane:"+lane), 0, -1).Result()
		if err != nil {
			return l, err
		}
		l.jobs = append(l.jobs, ids...)
	}
	later, err := rdb.ZRange(ctx, key("later"), 0, -1).Result()
	if err != nil {
		return l, err
	}
	for _, id := range later {
		spent, err := w.spent(ctx, id)
		if err != nil {
			return l, err
		}
		if !spent && !patient(id) && (looks || !strings.HasPrefix(id, "look:")) {
			l.jobs = append(l.jobs, id)
		}
	}
	orphans, err := w.orphans(ctx, append(slices.Clone(l.jobs), later...))
	if err != nil {
		return l, err
	}
	l.jobs = append(l.jobs, orphans...)
	if l.lag, err = rdb.SMembers(ctx, "{darkroom}:lagging").Result(); err != nil {
		return l, err
	}
	dead, err := w.queue.DeadLetters().List(ctx, 0)
	for _, letter := range dead {
		l.dead = append(l.dead, fmt.Sprintf("%s: %s", letter.ID, letter.Reason))
	}
	return l, err
}

// orphans are jobs that no lane knows of and that do not wait: a worker wrote to them after
// they were settled.
func (w *world) orphans(ctx context.Context, known []string) ([]string, error) {
	dead, err := w.redis.rdb.ZRange(ctx, "{darkroom}:q:dead", 0, -1).Result()
	if err != nil {
		return nil, err
	}
	known = append(known, dead...)
	var all []string
	found := w.redis.node(ctx).Scan(ctx, 0, "{darkroom}:q:job:*", 1000).Iterator()
	for found.Next(ctx) {
		id := strings.TrimPrefix(found.Val(), "{darkroom}:q:job:")
		if !slices.Contains(known, id) {
			all = append(all, id+" (in no lane)")
		}
	}
	return all, found.Err()
}

// quietFor is how long nothing must be left: some rounds of the poller.
const quietFor = 3 * time.Second

// settlement is how long an order of unknown outcome may take to be placed after all: on a
// busy machine the short form meets one, too.
const settlement = 4 * time.Minute

// quiet waits until nothing is left to do, at most for so long.
func (w *world) quiet(ctx context.Context, patience time.Duration, looks bool) (leftovers, error) {
	var l leftovers
	var err error
	var since time.Time
	poll(ctx, patience, 250*time.Millisecond, func() bool {
		l, err = w.left(ctx, looks)
		if err != nil || !l.none() {
			since = time.Time{}
			return false
		}
		if since.IsZero() {
			since = time.Now()
		}
		return time.Since(since) > quietFor
	})
	return l, err
}
