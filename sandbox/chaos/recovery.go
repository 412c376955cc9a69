package chaos

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/sandbox/photos"
)

// Recovery is how long it takes until somebody else does what a dead replica did.
type Recovery struct {
	Job  time.Duration // from the death of a worker until another one works on its job
	Poll time.Duration // from the death of who polls until another one has polled
}

// Measure kills the worker of a job, and who polls, some rounds long, and returns the
// longest of each.
func Measure(ctx context.Context, o Options, rounds int) (Recovery, error) {
	var longest Recovery
	w, err := open(ctx, o)
	if w != nil {
		defer w.close()
	}
	if err != nil {
		return longest, err
	}
	p := w.player(0)
	if !p.place(ctx) || !p.shown("Placed", 1)(ctx) {
		return longest, errors.New("the order was not placed")
	}
	for range rounds {
		job, err := w.jobRecovery(ctx, p)
		if err != nil {
			return longest, err
		}
		polled, err := w.pollTakeover(ctx)
		if err != nil {
			return longest, err
		}
		longest = Recovery{Job: max(longest.Job, job), Poll: max(longest.Poll, polled)}
	}
	return longest, nil
}

// jobRecovery kills a worker while the service keeps it waiting for its answer.
func (w *world) jobRecovery(ctx context.Context, p *player) (time.Duration, error) {
	const failpoint = "message/before POST message"
	w.Photos.Misbehave(photos.Message, photos.HangAfterCommit(), 1)
	text := p.token("Are you there")
	_ = p.win.Command(p.channel, "/order message "+p.order+" "+text)
	if !poll(ctx, time.Minute, time.Millisecond, p.has(func(o photos.Order) bool { return said(o, text) > 0 })) {
		return 0, errors.New("the message did not arrive")
	}
	worker, passes, _ := w.conductor.lastAt(failpoint)
	died := time.Now()
	for _, one := range w.replicas.all {
		if one.name == worker {
			one.kill()
		}
	}
	w.Photos.Release()
	var again time.Time
	if !poll(ctx, time.Minute, time.Millisecond, func() bool {
		var now int
		_, now, again = w.conductor.lastAt(failpoint)
		return now > passes
	}) {
		return 0, errors.New("nobody went on with the job of a dead worker")
	}
	return again.Sub(died), nil
}

// pollTakeover kills one after the other until it was the one that had a poll under way.
func (w *world) pollTakeover(ctx context.Context) (time.Duration, error) {
	const claim = "{darkroom}:poll:claim:poll"
	for _, one := range w.replicas.all {
		w.Photos.Misbehave(photos.List, photos.HangAfterCommit(), 1)
		var holder string
		poll(ctx, 10*time.Second, 5*time.Millisecond, func() bool {
			holder = w.redis.rdb.Get(ctx, claim).Val()
			return holder != ""
		})
		died := time.Now()
		one.kill()
		var now string
		changed := poll(ctx, 15*time.Second, 5*time.Millisecond, func() bool {
			now = w.redis.rdb.Get(ctx, claim).Val()
			return now != holder && now != ""
		})
		w.Photos.Release()
		if !changed || process(now) == process(holder) {
			continue // it was another one
		}
		var polled time.Time
		poll(ctx, 10*time.Second, 5*time.Millisecond, func() bool {
			polled = w.polledAfter(died)
			return !polled.IsZero()
		})
		if polled.IsZero() {
			return 0, errors.New("nobody polled after the death of who did")
		}
		return polled.Sub(died), nil
	}
	return 0, fmt.Errorf("nobody of %d replicas polled", len(w.replicas.all))
}

// process is the part of a fence that names who holds a claim.
func process(fence string) string {
	name, _, _ := strings.Cut(fence, "/")
	return name
}

// polledAfter is when the service was first asked for its orders after that moment.
func (w *world) polledAfter(moment time.Time) time.Time {
	for _, r := range w.Photos.Requests() {
		if (r.Op == photos.List || r.Op == photos.Fetch) && r.At.After(moment) {
			return r.At
		}
	}
	return time.Time{}
}
