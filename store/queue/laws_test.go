package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// witness watches handlers and remembers what broke a law.
type witness struct {
	mu     sync.Mutex
	busy   map[string]string // lane → job
	done   map[string][]string
	firsts map[string]int
	broken []string
}

func newWitness() *witness {
	return &witness{busy: map[string]string{}, done: map[string][]string{}, firsts: map[string]int{}}
}

func (w *witness) begin(d *Delivery) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if other, ok := w.busy[d.Lane]; ok {
		w.broken = append(w.broken, fmt.Sprintf("%s began while %s ran", d.ID, other))
	}
	w.busy[d.Lane] = d.ID
	if d.First {
		w.firsts[d.ID]++
	}
}

// end notes that a handler ended; finished: it will say that the job is over.
func (w *witness) end(d *Delivery, finished bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.busy, d.Lane)
	if finished {
		w.done[d.Lane] = append(w.done[d.Lane], d.ID)
	}
}

// check says which law was broken for the jobs put into each lane.
func (w *witness) check(put map[string][]string, exactlyOnce bool) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, n := range w.firsts {
		if n > 1 {
			w.broken = append(w.broken, fmt.Sprintf("%s had %d first deliveries", id, n))
		}
	}
	for lane, want := range put {
		got := w.done[lane]
		if !exactlyOnce {
			got = slices.Compact(slices.Clone(got))
		}
		if !slices.Equal(want, got) {
			w.broken = append(w.broken, fmt.Sprintf("lane %s: put %v, done %v", lane, want, got))
		}
	}
	if len(w.broken) == 0 {
		return ""
	}
	return fmt.Sprint(w.broken)
}

// plan is what a property test does.
type plan struct {
	lanes  []int    // the lane of each put, in order
	twice  []bool   // whether it is put twice
	fate   []string // what its handler does first: done, wait, retry, dead, panic
	deaths []int    // ms after which a replica dies
}

var plans = rapid.Custom(func(t *rapid.T) plan {
	n := rapid.IntRange(1, 25).Draw(t, "jobs")
	return plan{
		lanes:  rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(t, "lanes"),
		twice:  rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "twice"),
		fate:   rapid.SliceOfN(rapid.SampledFrom([]string{"done", "done", "wait", "retry", "dead", "panic"}), n, n).Draw(t, "fates"),
		deaths: rapid.SliceOfN(rapid.IntRange(0, 40), 0, 4).Draw(t, "deaths"),
	}
})

// jobs names the jobs of a plan: of each lane in order, and their fates.
func (p plan) jobs() (byLane map[string][]string, order []string, fates map[string]string) {
	byLane, fates = map[string][]string{}, map[string]string{}
	for i, lane := range p.lanes {
		id := fmt.Sprintf("lane%d/%d", lane, i)
		order = append(order, id)
		fates[id] = p.fate[i]
		byLane[job(id).Lane] = append(byLane[job(id).Lane], id)
	}
	return byLane, order, fates
}

// play puts the jobs of a plan and tells which were not added, or added twice.
func (p plan) play(ctx context.Context, q *Queue, order []string) error {
	for i, id := range order {
		for again := range 2 {
			if again == 1 && !p.twice[i] {
				continue
			}
			added, err := q.Put(ctx, job(id))
			if err != nil {
				return err
			}
			if added != (again == 0) {
				return fmt.Errorf("put %d of %s: added is %v", again+1, id, added)
			}
		}
	}
	return nil
}

// behave is a handler that ends each job after its fate.
func (w *witness) behave(fates map[string]string) Handler {
	return func(_ context.Context, d *Delivery) error {
		w.begin(d)
		fate := fates[d.ID]
		first := d.Deliveries == 1
		w.end(d, fate == "done" || fate == "dead" || !first)
		switch {
		case fate == "dead":
			return Dead(errors.New("fate"))
		case !first || fate == "done":
			return nil
		case fate == "panic":
			panic("fate")
		case fate == "wait":
			return Wait(2 * time.Millisecond)
		}
		return errors.New("fate")
	}
}

func TestEveryJobIsSettledOnceInOrderOneOfALaneAtATime(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		rapid.Check(t, func(rt *rapid.T) {
			p := plans.Draw(rt, "plan")
			byLane, order, fates := p.jobs()
			w := newWitness()
			one := newQueue(t, rdb, Options{Workers: 3})
			two := newQueue(t, rdb, one.o)
			stopOne, stopTwo := running(t, one, w.behave(fates)), running(t, two, w.behave(fates))
			require.NoError(rt, p.play(t.Context(), one, order))
			settled(t, one)
			dead, err := one.DeadLetters().List(t.Context(), 0)
			require.NoError(rt, err)
			require.NoError(rt, errors.Join(stopOne(), stopTwo()))
			require.Empty(rt, w.check(byLane, true))
			mortal := 0
			for _, fate := range fates {
				if fate == "dead" {
					mortal++
				}
			}
			require.Len(rt, dead, mortal)
		})
	})
}

// work is a handler that takes a while and stops dead when its context ends.
func (w *witness) work(took time.Duration) Handler {
	return func(ctx context.Context, d *Delivery) error {
		w.begin(d)
		wait(ctx, took)
		w.end(d, ctx.Err() == nil)
		return ctx.Err()
	}
}

// survive plays a plan on replicas; all but the last crash.
func (p plan) survive(t *testing.T, rdb redis.UniversalClient, lease time.Duration) string {
	t.Helper()
	byLane, order, _ := p.jobs()
	w := newWitness()
	last := newQueue(t, rdb, Options{Workers: 3, Lease: lease})
	for _, ms := range p.deaths {
		q := newMortal(t, rdb, last.o)
		running(t, q, w.work(5*time.Millisecond))
		timer := time.AfterFunc(time.Duration(ms)*time.Millisecond, q.kill)
		t.Cleanup(func() { timer.Stop() })
	}
	stop := running(t, last, w.work(5*time.Millisecond))
	if err := p.play(t.Context(), last, order); err != nil {
		return err.Error()
	}
	settled(t, last)
	if err := stop(); err != nil {
		return err.Error()
	}
	return w.check(byLane, false)
}

func TestEveryJobIsDoneInOrderWhateverWorkersDie(t *testing.T) {
	t.Run("embedded", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			p, broken := plans.Draw(rt, "plan"), ""
			bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
				t.Helper()
				broken = p.survive(t, rdb, time.Second)
			})
			require.Empty(rt, broken)
		})
	})
	t.Run("redis-server", func(t *testing.T) {
		rdb := realRedis(t)
		for seed := range 3 {
			p := plans.Filter(func(p plan) bool { return len(p.deaths) > 0 }).Example(seed)
			require.Empty(t, p.survive(t, rdb, 250*time.Millisecond))
		}
	})
}

func TestTheLaneOfADeadWorkerIsTakenOverWithinTenSeconds(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		dying := newMortal(t, rdb, Options{})
		heir := newQueue(t, rdb, dying.o)
		began, got := make(chan bool, 1), make(chan *Delivery, 1)
		running(t, dying, func(ctx context.Context, d *Delivery) error {
			if err := d.SetState(ctx, "sending"); err != nil {
				return err
			}
			began <- d.First
			<-ctx.Done()
			return ctx.Err()
		})
		put(t, dying.Queue, "a/1")
		require.True(t, <-began)
		running(t, heir, func(_ context.Context, d *Delivery) error { got <- d; return nil })
		wait(t.Context(), time.Minute)
		require.Empty(t, got, "a claim that is renewed is not taken over")

		dying.kill()
		died := time.Now()
		d := <-got
		require.Less(t, time.Since(died), 10*time.Second)
		require.Greater(t, time.Since(died), 3*time.Second, "not before the lease is over")
		require.False(t, d.First)
		require.JSONEq(t, `"sending"`, string(d.State))
		synctest.Wait()
		wait(t.Context(), 5*time.Minute)
		names := rdb.XInfoConsumers(t.Context(), heir.space.key("stream"), group).Val()
		require.Len(t, names, 1, "the dead consumer's name is gone")
	})
}
