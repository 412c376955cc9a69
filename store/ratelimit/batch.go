package ratelimit

import (
	"context"
	"fmt"
	"sync"
	"time"

	"darkroom/store/script"
)

// The number of slots in a batch, the time that they last at most, and the time after which unused slots expire.
const (
	minBatch     = 4
	maxBatch     = 64
	maxBatchSpan = 10 * time.Second
	batchExpiry  = 2 * time.Second
)

// Background limits calls that no person waits for. Redis reserves their slots in batches, with one command for up to
// 64 slots or ten seconds, and this process spreads them out. Calls of people in this process postpone the rest of a
// batch; those in other replicas postpone the next batch. Unused slots go back with the next request. Those of a process
// that died are lost. So only one process at a time may work in the background: the one that polls.
type Background struct{ rate *Rate }

// Background returns the limit of calls that no person waits for.
func (r *Rate) Background() *Background { return &Background{r} }

// Expect announces how many calls are about to be made, so that batches have the right size.
func (b *Background) Expect(calls int) {
	t := &b.rate.batch
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expected, t.minSize = calls, minBatch
}

// Taken returns how many slots were used so far, and how many batches had them.
func (b *Background) Taken() (slots, batches int64) {
	t := &b.rate.batch
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.taken, t.batches
}

// Wait returns when the caller may call, or with the context's error.
func (b *Background) Wait(ctx context.Context) error {
	for {
		if wait, has := b.rate.batch.take(); has {
			err := pause(ctx, wait)
			if err != nil {
				b.rate.batch.giveBack()
			}
			return err
		}
		if b.rate.redisDown() {
			return b.rate.local.Wait(ctx)
		}
		if err := b.refill(ctx); err != nil {
			return err
		}
	}
}

// refill reserves the next batch, one caller at a time. Later callers use the same batch. It returns no error when Redis
// is down.
func (b *Background) refill(ctx context.Context) error {
	t := &b.rate.batch
	select {
	case t.asking <- struct{}{}:
		defer func() { <-t.asking }()
	case <-ctx.Done():
		return ctx.Err()
	}
	args, needed := t.request()
	if !needed || b.rate.redisDown() || ctx.Err() != nil {
		return ctx.Err()
	}
	after, reserved, err := b.rate.reserve(ctx, args)
	switch {
	case err != nil:
		return ctx.Err()
	case !reserved:
		return pause(ctx, after)
	}
	t.fill(after)
	return nil
}

// batch holds the unused slots of the latest batch.
type batch struct {
	name    string // of this process
	every   time.Duration
	maxSize int           // slots of a batch
	asking  chan struct{} // held while the next batch is requested

	mu        sync.Mutex // guards the rest
	batches   int64      // so far
	latest    string     // name of the batch in use
	requested string     // name of the requested batch, which includes its size
	size      int        // slots of the requested batch
	left      int        // slots
	next      time.Time  // when the first slot comes
	expected  int        // calls, see [Background.Expect]
	minSize   int        // slots of the next batch, at least
	taken     int64      // slots
}

func (b *batch) init(name string, every time.Duration) {
	b.name, b.every, b.minSize, b.asking = name, every, minBatch, make(chan struct{}, 1)
	b.maxSize = min(max(int(maxBatchSpan/every), minBatch), maxBatch)
}

// take takes a slot and returns the time until then; false: no slot is left.
func (b *batch) take() (wait time.Duration, has bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.exhausted(now) {
		return 0, false
	}
	slot := later(b.next, now)
	b.next = slot.Add(b.every)
	b.left--
	b.expected--
	b.taken++
	return slot.Sub(now), true
}

// exhausted reports whether no slot is left, or the slots have expired: people of other replicas may have used their
// time.
func (b *batch) exhausted(now time.Time) bool { return b.left == 0 || now.Sub(b.next) > batchExpiry }

// giveBack returns a slot that was taken and not used, with its time.
func (b *batch) giveBack() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next = b.next.Add(-b.every)
	b.left++
	b.expected++
	b.taken--
}

// postpone lets a person's call go first.
func (b *batch) postpone() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next = later(b.next, time.Now()).Add(b.every)
}

// request returns the arguments to reserve a batch; false: there are slots already.
func (b *batch) request() (args script.Args, needed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.exhausted(time.Now()) {
		return nil, false
	}
	b.size = min(max(b.expected, b.minSize), b.maxSize)
	b.requested = fmt.Sprintf("%s:%d:%d", b.name, b.batches+1, b.size)
	return script.Args{"people": false, "count": b.size, "unused": b.left, "former": b.latest, "batch": b.requested}, true
}

// fill starts the requested batch; its first slot comes after that time.
func (b *batch) fill(after time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.batches++
	b.latest = b.requested
	b.left, b.next = b.size, time.Now().Add(after)
	b.minSize = min(2*b.minSize, b.maxSize)
}
