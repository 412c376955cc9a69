package main

import (
	"fmt"
	"log"
	"slices"
	"time"

	"darkroom/store"
)

// formRound sends order forms to one server. For Darkroom the draft of each was opened before.
type formRound struct {
	*doorRun
	name, addr string
	redis      *redisServer
	acked      []int64
}

// measure warms the server up, and measures a closed and an open loop.
func (f *formRound) measure(p *process, d time.Duration, into *kindFigures) error {
	warm, err := f.prepare(warmUp, 0)
	if err != nil {
		return err
	}
	if err := f.took(closedLoop(f.ctx, warm, warmUp), 0); err != nil {
		return err
	}
	closed, err := f.prepare(d, 0)
	if err != nil {
		return err
	}
	var o outcome
	*into = f.figures(p, func() outcome {
		o = closedLoop(f.ctx, closed, d)
		return o
	})
	if err := f.took(o, o.perSecond()); err != nil {
		return err
	}
	open, err := f.prepare(d, f.result.FormRate)
	if err != nil {
		return err
	}
	o = openLoop(f.ctx, open, f.result.FormRate, d)
	into.open(o, f.result.FormRate*d.Seconds())
	return f.took(o, 0)
}

// prepare makes the drafts that so long a loop needs, at most; only Darkroom keeps any.
func (f *formRound) prepare(d time.Duration, rate float64) (target, error) {
	if f.redis == nil {
		return f.form(f.name, f.addr, 0), nil
	}
	to := f.serial + int64(max(f.pace*1.5, rate*1.1)*d.Seconds()) + 100
	t := f.form(f.name, f.addr, to)
	run, err := f.redis.store.Server.Run(f.ctx)
	if err != nil {
		return t, err
	}
	like := f.samples.draft
	if t.template, err = t.template.inRun(like.Run, run.ID); err != nil {
		return t, err
	}
	like.Run = run.ID
	return t, f.keepDrafts(f.redis, like, f.serial, to)
}

// took notes which numbers are used up, and what was acknowledged. Wrong answers are counted and shown; none
// that is right is an error.
func (f *formRound) took(o outcome, pace float64) error {
	f.serial += int64(o.answered + o.wrong)
	if f.redis != nil {
		f.acked = append(f.acked, o.acked...)
		f.serial = max(f.serial, f.highest()+1)
	}
	if pace > 0 && f.redis != nil {
		f.pace = pace
	}
	if o.wrong > 0 {
		log.Printf("%s: %d wrong answers, the first: %.300s", f.name, o.wrong, o.why)
	}
	if o.answered == 0 {
		return fmt.Errorf("no right answer: %w", o.why)
	}
	return nil
}

func (f *formRound) highest() int64 {
	if len(f.acked) == 0 {
		return 0
	}
	return slices.Max(f.acked)
}

// check looks whether each submission that was acknowledged is in Redis: its draft on its way,
// and its job. Then it sees what the server does while nothing comes in.
func (f *formRound) check(p *process) error {
	before := p.cpu()
	if err := f.pause(time.Second); err != nil {
		return err
	}
	f.result.Background = ms(p.cpu() - before)
	stats, err := f.redis.queue.Inspector().Stats(f.ctx)
	if err != nil {
		return err
	}
	if stats.Jobs+stats.Delayed < len(f.acked) {
		return fmt.Errorf("%d submissions were acknowledged, and there are %d jobs", len(f.acked), stats.Jobs)
	}
	f.result.Checked += len(f.acked)
	return parallel(16, 0, int64(len(f.acked)), func(i int64) error {
		d, err := f.redis.store.Drafts.Draft(f.ctx, draftID(f.acked[i]))
		if err == nil && d.State != store.DraftPlacing {
			err = fmt.Errorf("draft %s was acknowledged and is %s", d.ID, d.State)
		}
		return err
	})
}

// withJobs measures the form while the service answers at once, so that the workers place orders
// and tell people at the same time.
func (r *doorRun) withJobs() (*withJobs, error) {
	r.service.creates = createAtOnce
	defer func() { r.service.creates = createNever }()
	redis, err := r.startRedis()
	if err != nil {
		return nil, err
	}
	defer redis.stop()
	p, addr, err := r.open(nameDarkroom, redis)
	if err != nil {
		return nil, err
	}
	defer p.kill()
	f := &formRound{doorRun: r, name: nameDarkroom, addr: addr, redis: redis}
	d := 2 * time.Duration(r.o.seconds*float64(time.Second))
	t, err := f.prepare(d, 0)
	if err != nil {
		return nil, err
	}
	placed, before := r.service.created.Load(), p.cpu()
	o := closedLoop(r.ctx, t, d)
	used, done := p.cpu()-before, r.service.created.Load()-placed
	return &withJobs{
		PerSecond: o.perSecond(), P99: ms(o.percentile(0.99)),
		CPU: float64(used.Nanoseconds()) / 1e3 / float64(max(o.answered, 1)), Done: float64(done) / o.took.Seconds(),
	}, f.took(o, 0)
}
