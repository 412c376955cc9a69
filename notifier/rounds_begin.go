package notifier

import (
	"context"
	"errors"
	"time"

	"darkroom/store"
)

// begin begins the polls that are due and for which there is room.
func (r *Rounds) begin(ctx context.Context) {
	for ctx.Err() == nil {
		due := r.next()
		if len(due) == 0 {
			return
		}
		if err := r.askBusy(ctx, due); err != nil {
			r.putBack(due)
			r.putOff(ctx, "busy workspaces", err)
			return
		}
		if r.start(due) == 0 {
			return
		}
	}
}

// next takes what is due and has room, and makes room.
func (r *Rounds) next() []*entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	r.makeRoom(now)
	r.agenda.lend(now)
	return r.agenda.take(now, askedOnce)
}

// makeRoom has polls that take long give up their places while others wait: for one of the slow, if there is one, or of those
// that wait for turns. What
// the slow have borrowed comes first.
func (r *Rounds) makeRoom(now time.Time) {
	a := r.agenda
	if l := a.lines[quick]; a.free[quick] > 0 || l.Len() == 0 || l[0].due.After(now) {
		return
	}
	var long []*poll // of few, while those that are due may be ten thousand
	for p := range r.running {
		if p.class == quick && !p.cut && now.Sub(p.began) >= slowAfter {
			long = append(long, p)
		}
	}
	if len(long) == 0 && a.borrowed == 0 {
		return
	}
	wanted, _ := a.waiting(quick, now)
	wanted -= r.callBack(wanted)
	for _, p := range long[:min(wanted, len(long))] {
		to := slow
		if waited(p.line.Waited(), now.Sub(p.began)) {
			to = queued
		}
		if a.free[to] > 0 {
			a.free[quick]++
			a.free[to]--
			p.class = to
			continue
		}
		p.cut = true
		p.stop()
	}
}

// callBack ends polls of the slow in places that they borrowed, so many at most, and says how many such places come back.
func (r *Rounds) callBack(most int) (ending int) {
	most = min(most, r.agenda.borrowed)
	for p := range r.running {
		if p.class == slow && p.cut {
			ending++ // it was told before
		}
	}
	for p := range r.running {
		if ending >= most {
			break
		}
		if p.class == slow && !p.cut {
			p.cut = true
			p.stop()
			ending++
		}
	}
	return min(ending, most)
}

// askBusy learns which of these workspaces have something to do.
func (r *Rounds) askBusy(ctx context.Context, due []*entry) error {
	ask := make([]*entry, 0, len(due))
	names := make([]string, 0, len(due))
	for _, e := range due {
		if r.Busy == nil {
			e.wanted = true
		}
		if !e.wanted {
			ask, names = append(ask, e), append(names, e.workspace)
		}
	}
	if len(ask) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, Lease/2)
	defer cancel()
	busy, err := r.Busy(ctx, names)
	if err == nil && len(busy) != len(names) {
		err = errors.New("not all were told of")
	}
	if err != nil {
		return err
	}
	for i, e := range ask {
		e.idle = !busy[i]
		e.wanted = busy[i] || time.Since(e.visited) >= idleEvery
	}
	return nil
}

// start begins those that are wanted, while there is room, and returns how many are settled: begun, or not to be polled
// this time.
func (r *Rounds) start(due []*entry) (settled int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	for _, e := range due {
		switch {
		case e.gone():
		case !e.wanted:
			r.forget(e)
			r.agenda.reschedule(e, ended{began: now, at: now})
			r.agenda.add(e)
		case r.agenda.free[e.class()] <= 0:
			r.agenda.add(e)
			continue
		default:
			r.startOne(e, now)
		}
		settled++
	}
	return settled
}

// startOne begins one poll; the caller holds the lock.
func (r *Rounds) startOne(e *entry, now time.Time) {
	ctx, stop := context.WithTimeout(e.shard.ctx, r.deadline(e))
	ctx, line := store.WithInLine(ctx)
	p := &poll{entry: e, began: now, late: now.Sub(e.due), class: e.class(), line: line, stop: stop}
	r.running[p] = true
	r.agenda.free[p.class]--
	e.shard.polls.Go(func() {
		defer stop()
		r.end(ctx, p, r.tick(ctx, e))
	})
}

// deadline is how long the next poll of a workspace may take. Of those that answered nothing there may be many, and they
// have few places: they are given ten seconds, and all the time at every fourth poll. Ten seconds may be less than a turn takes to come.
func (r *Rounds) deadline(e *entry) time.Duration {
	if e.unheard%4 == 0 || e.queued {
		return r.Deadline
	}
	return min(r.Deadline, probeTime)
}

func (r *Rounds) putBack(due []*entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range due {
		if !e.gone() {
			r.agenda.add(e)
		}
	}
}
