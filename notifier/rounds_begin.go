package notifier

import (
	"context"
	"errors"
	"slices"
	"time"

	"darkroom/store"
)

// begin begins the polls that are due and for which there is room.
func (r *Rounds) begin(ctx context.Context) {
	for ctx.Err() == nil && r.beginSome() {
	}
}

// beginSome takes what is due and has room, and makes room. What is wanted begins, of the rest it is asked; it says whether
// that was anything.
func (r *Rounds) beginSome() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now, some := time.Now(), false
	r.makeRoom(now)
	r.agenda.lend(now)
	first := r.firstAsked(now)
	for _, e := range r.agenda.take(now, askedOnce) {
		switch {
		case !e.wanted && r.Busy != nil:
			r.ask(e, now)
			first = earlier(first, e.due)
		case r.agenda.free[e.class()] <= 0, !first.IsZero() && e.due.After(first):
			r.agenda.add(e)
			continue
		default:
			r.startOne(e, now)
		}
		some = true
	}
	return some
}

// makeRoom has polls that take long give up their places while others wait: for one of the slow, if there is one, or of those
// that wait for turns. What the slow have borrowed comes first.
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

// firstAsked is since when the first of those is due of which an answer is on its way: who was due later does not go
// before it. A shard whose answer takes long, or did not come, holds nobody up.
func (r *Rounds) firstAsked(now time.Time) (first time.Time) {
	for _, h := range r.shards {
		if len(h.unasked) > 0 && !h.silent && now.Sub(h.askedAt) < askSoon {
			first = earlier(first, h.unasked[0].due)
		}
	}
	return first
}

// ask has it asked, with others of its shard, whether a workspace has something to do; the caller holds the lock. Until the answer
// is there it stands on no line.
func (r *Rounds) ask(e *entry, now time.Time) {
	h := e.shard
	h.unasked = append(h.unasked, e)
	if !h.asking {
		h.asking, h.askedAt = true, now
		h.polls.Go(func() { r.askAll(h) })
	}
}

// askAll asks of the workspaces of one shard, so many at a time, until there is none left to ask of. The shards are on
// several servers: while one does not answer, those of its shards wait, and no others.
func (r *Rounds) askAll(h *shard) {
	for {
		asked, names := r.nextUnasked(h)
		if len(asked) == 0 {
			return
		}
		busy, err := r.askBusy(h.ctx, names)
		if err == nil {
			r.answered(h, asked, busy)
			continue
		}
		r.fellSilent(h)
		r.putOff(h.ctx, "busy workspaces", err)
		select {
		case <-h.ctx.Done():
		case <-time.After(askAgain):
		}
	}
}

// nextUnasked are those to ask of next. They stay noted until they are answered for; what was struck meanwhile leaves.
func (r *Rounds) nextUnasked(h *shard) (asked []*entry, names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h.unasked = slices.DeleteFunc(h.unasked, (*entry).gone)
	if len(h.unasked) == 0 || h.ctx.Err() != nil {
		h.unasked, h.asking = nil, false
		return nil, nil
	}
	h.askedAt = time.Now()
	asked = slices.Clone(h.unasked[:min(len(h.unasked), askedOnce)])
	for _, e := range asked {
		names = append(names, e.workspace)
	}
	return asked, names
}

func (r *Rounds) fellSilent(h *shard) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h.silent = true
}

func (r *Rounds) askBusy(ctx context.Context, names []string) ([]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, Lease/2)
	defer cancel()
	busy, err := r.Busy(ctx, names)
	if err == nil && len(busy) != len(names) {
		err = errors.New("not all were told of")
	}
	return busy, err
}

// answered puts those back on their lines of which it is known what they have to do.
func (r *Rounds) answered(h *shard, asked []*entry, busy []bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h.unasked, h.silent = h.unasked[len(asked):], false
	now := time.Now()
	for i, e := range asked {
		if e.gone() {
			continue
		}
		e.idle = !busy[i]
		e.wanted = busy[i] || now.Sub(e.visited) >= idleEvery
		if !e.wanted {
			r.forget(e)
			r.agenda.reschedule(e, ended{began: now, at: now})
		}
		r.agenda.add(e)
	}
	r.wakeUp()
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
