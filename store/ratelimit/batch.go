package ratelimit

import (
	"context"
	"fmt"
	"sync"
	"time"

	"darkroom/store/script"
)

// How many turns are taken together, how long they last at most, and how long a batch is good for when nobody
// takes any of it.
const (
	leastTurns = 4
	mostTurns  = 64
	batchLasts = 10 * time.Second
	batchIdle  = 2 * time.Second
)

// Background are the turns of calls that nobody waits for. Redis gives them out in batches, one command
// for up to 64 of them or ten seconds, and this process spreads them out at the pace. People of this process go ahead of
// what is left of a batch; those of other replicas, whom it does not hear of, put the next one off. What is
// not used goes back with the next batch, and what a process that died had left is nobody's: so
// only one process at a time may work in the background, the one that polls.
type Background struct{ rate *Rate }

// Background is for calls that nobody waits for.
func (r *Rate) Background() *Background { return &Background{r} }

// Expect says how many calls are about to be made: batches are made to hold them.
func (b *Background) Expect(calls int) {
	t := &b.rate.batch
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expected, t.least = calls, leastTurns
}

// Taken is how many turns were taken so far, and in how many batches they came.
func (b *Background) Taken() (turns, batches int64) {
	t := &b.rate.batch
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.taken, t.batches
}

// Wait returns when it is the caller's turn, or with the context's error.
func (b *Background) Wait(ctx context.Context) error {
	for {
		if wait, has := b.rate.batch.take(); has {
			err := pause(ctx, wait)
			if err != nil {
				b.rate.batch.giveBack()
			}
			return err
		}
		if b.rate.left() {
			return b.rate.local.Wait(ctx)
		}
		if err := b.refill(ctx); err != nil {
			return err
		}
	}
}

// refill asks for the next batch, one caller at a time. Whoever comes later finds what it brought.
// It returns no error when Redis is away.
func (b *Background) refill(ctx context.Context) error {
	t := &b.rate.batch
	select {
	case t.asking <- struct{}{}:
		defer func() { <-t.asking }()
	case <-ctx.Done():
		return ctx.Err()
	}
	args, needed := t.order()
	if !needed || b.rate.left() || ctx.Err() != nil {
		return ctx.Err()
	}
	after, given, err := b.rate.ask(ctx, args)
	switch {
	case err != nil:
		return ctx.Err()
	case !given:
		return pause(ctx, after)
	}
	t.fill(after)
	return nil
}

// batch is what is left of the turns that were taken together.
type batch struct {
	name   string // of this process
	every  time.Duration
	most   int           // turns of a batch
	asking chan struct{} // held by whoever asks for the next batch

	mu       sync.Mutex // guards the rest
	batches  int64      // so far
	latest   string     // the name of this one
	ordered  string     // the name of the one that is asked for: its size is part of it
	size     int        // turns of the one that is asked for
	left     int        // turns
	next     time.Time  // when the first of them comes
	expected int        // calls, see [Background.Expect]
	least    int        // turns that the next batch has at least
	taken    int64      // turns
}

func (t *batch) init(name string, every time.Duration) {
	t.name, t.every, t.least, t.asking = name, every, leastTurns, make(chan struct{}, 1)
	t.most = min(max(int(batchLasts/every), leastTurns), mostTurns)
}

// take takes a turn and says how long it is until then; false when there is none.
func (t *batch) take() (wait time.Duration, has bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if t.spent(now) {
		return 0, false
	}
	turn := later(t.next, now)
	t.next = turn.Add(t.every)
	t.left--
	t.expected--
	t.taken++
	return turn.Sub(now), true
}

// spent says that there is no turn left, or that they were left lying for so long that people of other
// replicas may have their time.
func (t *batch) spent(now time.Time) bool { return t.left == 0 || now.Sub(t.next) > batchIdle }

// giveBack gives back a turn that was taken and not used, and its time.
func (t *batch) giveBack() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next = t.next.Add(-t.every)
	t.left++
	t.expected++
	t.taken--
}

// yield lets a call of a person's go first.
func (t *batch) yield() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next = later(t.next, time.Now()).Add(t.every)
}

// order says what to ask Redis for; false when there are turns already.
func (t *batch) order() (args script.Args, needed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.spent(time.Now()) {
		return nil, false
	}
	t.size = min(max(t.expected, t.least), t.most)
	t.ordered = fmt.Sprintf("%s:%d:%d", t.name, t.batches+1, t.size)
	return script.Args{"people": false, "count": t.size, "unused": t.left, "former": t.latest, "batch": t.ordered}, true
}

// fill notes the batch that was ordered, whose first turn comes after so long.
func (t *batch) fill(after time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.batches++
	t.latest = t.ordered
	t.left, t.next = t.size, time.Now().Add(after)
	t.least = min(2*t.least, t.most)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
