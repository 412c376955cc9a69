package chaos

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"darkroom/sandbox/photos"
	"darkroom/store/queue"
)

// uncopied is for how long nothing is copied any more before the main server dies: what it confirms
// meanwhile nobody else has.
const uncopied = time.Second

// Failover plays a run in which nothing goes wrong but this: in the middle of it the server that has our
// keys dies, when its replicas have not heard from it for a second, and one of these takes over. It is the
// worst second for that: the service says *too many* to everything, so that what people ask for is taken
// and waits. What they were told was taken and is lost is named; nothing may be done twice at the service;
// and with WAIT nothing may be lost.
func Failover(ctx context.Context, o Options) (Report, error) {
	if !o.several() {
		return Report{}, errors.New("one Redis has nobody who takes over")
	}
	began := time.Now()
	w, err := open(ctx, o)
	if w != nil {
		defer w.close()
	}
	if err != nil {
		return Report{}, err
	}
	w.o.Log("chaos: failover: %s, seed %d, logs in %s", o.describe(), o.Seed, w.dir)
	breaking, calm := context.WithCancel(ctx)
	var breaker sync.WaitGroup
	var away outage
	var failed error
	breaker.Go(func() { away, failed = w.failOver(breaking) })
	w.act(ctx)
	calm()
	breaker.Wait()
	left, err := w.quiet(ctx, o.patience(), false)
	r := w.failoverReport(away, left, time.Since(began))
	w.o.Keep = !r.Clean
	return r, errors.Join(failed, err, ctx.Err())
}

// outage is what people had of a failover.
type outage struct {
	deaf    time.Time     // since when nothing was copied
	died    time.Time     // when the server was killed
	away    time.Duration // from then until Redis took a write again
	silence time.Duration // from then until somebody's click was acknowledged again
}

// failOver kills the main server when half of the courses are over.
func (w *world) failOver(ctx context.Context) (outage, error) {
	var out outage
	due := int64(w.o.Orders*courseSteps) / 2
	if !poll(ctx, time.Hour, 10*time.Millisecond, func() bool { return w.progress.Load() >= due }) {
		return out, errors.New("the courses did not get to their middle")
	}
	main, err := w.redis.Main(ctx, ourKey)
	if err != nil {
		return out, err
	}
	copies, err := w.redis.ReplicasOf(ctx, main)
	if err != nil || len(copies) == 0 {
		return out, errors.Join(err, errors.New("nobody copies Redis"))
	}
	rdb := main.Client()
	defer func() { _ = rdb.Close() }()
	for _, op := range []photos.Op{photos.Create, photos.Message, photos.References, photos.Revise, photos.Approve, photos.Cancel} {
		w.Photos.Misbehave(op, photos.TooMany(time.Second), 10_000)
	}
	for _, replica := range copies {
		replica.Freeze()
	}
	out.deaf = time.Now()
	if err := rdb.Do(ctx, "client", "kill", "type", "replica").Err(); err != nil { // else what is under way would still arrive
		return out, err
	}
	pause(ctx, uncopied)
	main.Kill()
	out.died = time.Now()
	w.faults.redisKills.Add(1)
	w.Photos.Behave()
	for _, replica := range copies {
		replica.Thaw()
	}
	eyes := queue.New(w.redis.rdb, queue.Options{Name: "chaos"})
	ctx = context.WithoutCancel(ctx) // it is seen to its end, also when nobody acts any more
	if !poll(ctx, time.Minute, 10*time.Millisecond, func() bool {
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		return eyes.Ready(ctx) == nil
	}) {
		return out, errors.New("redis did not come back")
	}
	out.away = time.Since(out.died)
	back := time.Now()
	poll(ctx, 20*time.Second, 10*time.Millisecond, func() bool {
		at := w.ledger.firstAck(back)
		out.silence = at.Sub(out.died)
		return !at.IsZero()
	})
	return out, errors.Join(main.Restart(ctx), w.redis.copied(ctx))
}

// firstAck is when the first act was acknowledged after a moment; zero: none was.
func (l *ledger) firstAck(after time.Time) (first time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range l.acts {
		a.mu.Lock()
		if a.acked.After(after) && (first.IsZero() || a.acked.Before(first)) {
			first = a.acked
		}
		a.mu.Unlock()
	}
	return first
}

// failoverReport names what was lost. It fails when something was done twice at the service, or lost with WAIT.
func (w *world) failoverReport(away outage, left leftovers, took time.Duration) Report {
	c := w.compare(time.Now())
	r := Report{Redis: w.faults.redis()}
	var out strings.Builder
	_, _ = fmt.Fprintf(&out, "a failover in the middle of %d orders: %s · seed %d · %s\n", w.o.Orders, w.o.describe(), w.o.Seed, took.Round(time.Second))
	_, _ = fmt.Fprintf(&out, "nothing copied from %s on, killed at %s, writes again after %s, a click acknowledged again after %s\n",
		away.deaf.Format(clock), away.died.Format(clock), away.away.Round(time.Millisecond), max(0, away.silence).Round(time.Millisecond))
	_, _ = fmt.Fprintf(&out, "acknowledged in the time that was not copied: %d\n", w.ledger.acknowledged(away.deaf, away.died))
	out.WriteString(c.table())
	_, _ = fmt.Fprintf(&out, "told that it was not done: %d · jobs that still wait: %d · dead letters: %d\n", c.told, len(left.jobs), len(left.dead))
	out.WriteString(w.notes())
	for _, wrong := range append(c.wrong, left.wrong()...) {
		out.WriteString("lost or shown otherwise: " + wrong + "\n")
	}
	r.Wrong = append(c.doubled(), w.replicas.panics()...)
	if !w.o.mayForget() {
		r.Wrong = append(r.Wrong, c.wrong...)
	}
	r.Clean, r.Text = len(r.Wrong) == 0, out.String()
	return r
}

// acknowledged counts the acts that Slack was told were taken between two moments.
func (l *ledger) acknowledged(from, to time.Time) (n int) {
	for _, a := range l.acts {
		if a.acked.After(from) && a.acked.Before(to) {
			n++
		}
	}
	return n
}

// doubled are the kinds of acts of which the service has one more than once: what people and channels are
// told again is no such thing.
func (c *comparison) doubled() (all []string) {
	for _, row := range c.rows {
		if row.doubled > 0 && !slices.Contains([]string{rowPosts, rowCards, rowBatches, rowAgain}, row.kind) {
			all = append(all, fmt.Sprintf("%s: %d doubled", row.kind, row.doubled))
		}
	}
	return all
}
