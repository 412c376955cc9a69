package tenants

import (
	"sync"

	"darkroom/store/ratelimit"
)

// turnsOf counts the turns of a workspace's present account and of its earlier ones.
type turnsOf struct {
	mu             sync.Mutex
	rate           *ratelimit.Account // nil: no account yet
	turns, batches int64              // taken of the earlier accounts
}

func (t *turnsOf) set(r *ratelimit.Account) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.turns, t.batches = t.taken()
	t.rate = r
}

// Expect implements [poll.Slots].
func (t *turnsOf) Expect(calls int) {
	if r := t.get(); r != nil {
		r.Background().Expect(calls)
	}
}

// Taken implements [poll.Slots].
func (t *turnsOf) Taken() (turns, batches int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.taken()
}

// taken is Taken; the caller holds the lock.
func (t *turnsOf) taken() (turns, batches int64) {
	if t.rate != nil {
		turns, batches = t.rate.Background().Taken()
	}
	return t.turns + turns, t.batches + batches
}

func (t *turnsOf) get() *ratelimit.Account {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rate
}
