package chaos

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"darkroom/sandbox/photos"
)

// unkindness is what an order service of the real world does besides breaking down: it
// has other clients, shifts its pages, and knows nothing of an order for a moment. It is
// drawn apart from the other trouble, so that neither changes the other's draws.
type unkindness struct {
	rand   *rand.Rand
	memory sync.Mutex // of the service: held while it forgets

	mu    sync.Mutex
	count map[string]int // by what it is
}

func newUnkindness(seed uint64) *unkindness {
	return &unkindness{rand: rand.New(rand.NewPCG(seed, 3)), count: map[string]int{}}
}

// did counts one.
func (u *unkindness) did(what string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.count[what]++
}

// text is all of it, a line each.
func (u *unkindness) text() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out strings.Builder
	for _, what := range slices.Sorted(maps.Keys(u.count)) {
		_, _ = fmt.Fprintf(&out, "%d × %s\n", u.count[what], what)
	}
	return out.String()
}

// unkind draws until ctx ends.
func (w *world) unkind(ctx context.Context) {
	u, every := w.unkindness, w.o.Network
	if every == 0 {
		return
	}
	for {
		pause(ctx, every+time.Duration(u.rand.Int64N(int64(2*every))))
		if ctx.Err() != nil {
			return
		}
		switch n := u.rand.IntN(100); {
		case n < 25:
			w.lag(ctx)
		case n < 45:
			u.did("searches refused")
			w.Photos.Misbehave(photos.List, photos.Refuses("filter_keywords is not available for this account"), 1)
		case n < 65:
			u.did("pages that moved up")
			w.Photos.Misbehave(photos.List, photos.Leaves(1+u.rand.IntN(5)), 1+u.rand.IntN(3))
		default:
			u.did("pages that moved down")
			w.Photos.Misbehave(photos.List, photos.Arrives(1+u.rand.IntN(5)), 1+u.rand.IntN(3))
		}
	}
}

// lag has a replica of the service that lags behind answer for a moment: one order is
// unknown, by its id and in every list.
func (w *world) lag(ctx context.Context) {
	u := w.unkindness
	draw, asleep := u.rand.IntN(1<<30), time.Second+time.Duration(u.rand.Int64N(int64(1500*time.Millisecond)))
	orders := w.service()
	if len(orders) == 0 || !u.memory.TryLock() {
		return
	}
	defer u.memory.Unlock()
	u.did("orders unknown for a moment")
	id := orders[draw%len(orders)].ID
	w.Photos.Forget(id)
	pause(ctx, asleep)
	w.Photos.Remember(id)
}

// oblivion has the service know none of our orders, as with another account's key, for as
// long as the options say. Meanwhile replicas come and go, so that each who polls meets it
// anew, and people write to their editors.
func (w *world) oblivion(ctx context.Context, open []*player) {
	if w.o.Oblivion == 0 {
		return
	}
	w.unkindness.memory.Lock()
	defer w.unkindness.memory.Unlock()
	w.unkindness.did("times that all orders were unknown, for " + w.o.Oblivion.String())
	w.Photos.Forget()
	var writing sync.WaitGroup
	for i, p := range open {
		if i%4 == 0 { // the others only wait
			writing.Go(func() { p.message(ctx) })
		}
	}
	for i := range 4 {
		pause(ctx, w.o.Oblivion/4)
		w.replicas.all[i%len(w.replicas.all)].retire()
		w.faults.retired.Add(1)
	}
	w.Photos.Remember()
	writing.Wait()
}
