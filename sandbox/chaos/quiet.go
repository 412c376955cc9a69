package chaos

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
	"darkroom/store/queue"
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

// ownerOf is in which keyspace an order of a job is, and the job's id there.
type ownerOf func(id string) (orders keyspace.Keyspace, job string)

// ours are the jobs of an app for one workspace.
func ours(id string) (keyspace.Keyspace, string) { return keyspace.Keyspace{}, id }

// left asks Redis what there is still to do. looks counts the later looks for doubles too.
func (w *world) left(ctx context.Context, looks bool) (l leftovers, err error) {
	if err := w.redis.queued(ctx, keyspace.Keyspace{}, ours, looks, &l); err != nil {
		return l, err
	}
	l.lag, err = w.redis.rdb.SMembers(ctx, keyspace.Keyspace{}.Key("lagging")).Result()
	return l, err
}

// queued adds what a queue still has to do.
func (r *redisServer) queued(ctx context.Context, at keyspace.Keyspace, of ownerOf, looks bool, l *leftovers) error {
	lanes, err := r.rdb.HKeys(ctx, at.Key("q", "tokens")).Result()
	if err != nil {
		return err
	}
	var known []string
	for _, lane := range lanes {
		ids, err := r.rdb.LRange(ctx, at.Key("q", "lane", lane), 0, -1).Result()
		if err != nil {
			return err
		}
		known = append(known, ids...)
	}
	l.jobs = append(l.jobs, known...)
	later, err := r.rdb.ZRange(ctx, at.Key("q", "later"), 0, -1).Result()
	if err != nil {
		return err
	}
	for _, id := range later {
		if soon, err := r.soon(ctx, id, of, looks); err != nil {
			return err
		} else if soon {
			l.jobs = append(l.jobs, id)
		}
	}
	dead, err := queue.New(r.rdb, queue.Options{Keyspace: at}).DeadLetters().List(ctx, 0)
	if err != nil {
		return err
	}
	known = append(known, later...)
	for _, letter := range dead {
		l.dead = append(l.dead, letter.ID+": "+letter.Reason)
		known = append(known, letter.ID)
	}
	return r.orphans(ctx, at, known, l)
}

// soon tells whether a job that waits is to be done before long. One that takes off an order's card what waits for the
// service comes some minutes later also when nothing is noted any more that waits, and finds nothing to do.
func (r *redisServer) soon(ctx context.Context, id string, of ownerOf, looks bool) (bool, error) {
	orders, job := of(id)
	order, _, announces := strings.Cut(strings.TrimPrefix(job, "announce:"), ":")
	if !announces || !strings.Contains(job, ":waits-over:") {
		return !patient(job) && (looks || !strings.HasPrefix(job, "look:")), nil
	}
	waits, err := r.rdb.HGet(ctx, orders.Key("order", order), "waits").Result()
	if errors.Is(err, redis.Nil) {
		err = nil
	}
	return waits != "", err
}

// orphans adds jobs that no lane knows of and that do not wait: a worker wrote to them after they were settled.
func (r *redisServer) orphans(ctx context.Context, at keyspace.Keyspace, known []string, l *leftovers) error {
	prefix := at.Key("q", "job", "")
	found := r.node(ctx, at.Key("q", "stream")).Scan(ctx, 0, prefix+"*", 1000).Iterator()
	for found.Next(ctx) {
		if id := strings.TrimPrefix(found.Val(), prefix); !slices.Contains(known, id) {
			l.jobs = append(l.jobs, id+" (in no lane)")
		}
	}
	return found.Err()
}

// quietFor is how long nothing must be left: some rounds of the poller.
const quietFor = 3 * time.Second

// settlement is how long an order of unknown outcome may take to be placed after all: on a
// busy machine the short form meets one, too.
const settlement = 4 * time.Minute

// quiet waits until nothing is left to do, at most for so long.
func (w *world) quiet(ctx context.Context, patience time.Duration, looks bool) (leftovers, error) {
	return untilQuiet(ctx, patience, func() (leftovers, error) { return w.left(ctx, looks) })
}

// untilQuiet asks what is left until it was nothing for a while, at most for so long.
func untilQuiet(ctx context.Context, patience time.Duration, left func() (leftovers, error)) (leftovers, error) {
	var l leftovers
	var err error
	var since time.Time
	poll(ctx, patience, 250*time.Millisecond, func() bool {
		l, err = left()
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
