package chaos

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Tail plays a run in which nothing goes wrong but this: Redis is killed several times, and
// comes back without the end of its append-only file, as after a power cut. What it had
// confirmed in that time is forgotten: some of it may be lost, and is named; nothing may
// be done a second time.
func Tail(ctx context.Context, o Options, cuts int) (Report, error) {
	began := time.Now()
	w, err := open(ctx, o)
	if w != nil {
		defer w.close()
	}
	if err != nil {
		return Report{}, err
	}
	w.o.Log("chaos: tail: seed %d, logs in %s", o.Seed, w.dir)
	cutting, calm := context.WithCancel(ctx)
	var cutter sync.WaitGroup
	var cut []string
	var failed error
	cutter.Go(func() { cut, failed = w.cutTails(cutting, cuts) })
	w.act(ctx)
	calm()
	cutter.Wait()
	left, err := w.quiet(ctx, o.patience(), false)
	return w.tailReport(cut, left, time.Since(began)), errors.Join(failed, err, ctx.Err())
}

// cutTails cuts the tail of the file off as people get on with their courses.
func (w *world) cutTails(ctx context.Context, cuts int) (all []string, err error) {
	for n := range cuts {
		due := int64(w.o.Orders*courseSteps) * int64(n+1) / int64(cuts+2)
		if !poll(ctx, time.Hour, 20*time.Millisecond, func() bool { return w.progress.Load() >= due }) {
			return all, nil
		}
		was, err := w.redis.size()
		if err != nil {
			return all, err
		}
		began := time.Now()
		pause(ctx, 500*time.Millisecond+time.Duration(w.rand.Int64N(int64(2500*time.Millisecond))))
		err = w.redis.bounce(ctx, 300*time.Millisecond, func() error {
			now, err := w.redis.size()
			if err != nil {
				return err
			}
			all = append(all, fmt.Sprintf("the last %d bytes, %s", now-was, time.Since(began).Round(time.Millisecond)))
			return w.redis.cut(was)
		})
		if err != nil {
			return all, err
		}
		w.faults.redisKills.Add(1)
	}
	return all, nil
}

// tailReport fails only when something was done twice at the service: what people and
// channels are told again is named.
func (w *world) tailReport(cut []string, left leftovers, took time.Duration) Report {
	c := w.compare(time.Now())
	r := Report{Redis: w.faults.redis()}
	var out strings.Builder
	_, _ = fmt.Fprintf(&out, "the tail of Redis's file cut off: seed %d · %d orders · %s\nforgotten: %s\n", w.o.Seed, w.o.Orders, took.Round(time.Second), strings.Join(cut, "; "))
	out.WriteString(c.table())
	_, _ = fmt.Fprintf(&out, "told that it was not done: %d · jobs that still wait: %d · dead letters: %d\n", c.told, len(left.jobs), len(left.dead))
	out.WriteString(w.notes())
	for _, wrong := range c.wrong {
		out.WriteString("lost or shown otherwise: " + wrong + "\n")
	}
	r.Wrong = append(c.doubled(), w.replicas.panics()...)
	r.Clean, r.Text = len(r.Wrong) == 0, out.String()
	return r
}
