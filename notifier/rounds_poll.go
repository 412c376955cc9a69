package notifier

import (
	"context"
	"errors"
	"time"

	"darkroom/store"
)

// tick is one poll of a workspace.
func (r *Rounds) tick(ctx context.Context, e *entry) error {
	return contained(ctx, r.Log.With("workspace", e.workspace), func() error {
		ticker, err := r.tickerOf(ctx, e)
		if err != nil || ticker == nil {
			return err
		}
		return ticker.Tick(ctx)
	})
}

// tickerOf returns what polls a workspace, the one that was kept or a new one.
func (r *Rounds) tickerOf(ctx context.Context, e *entry) (Ticker, error) {
	r.mu.Lock()
	ticker := e.ticker
	if time.Since(e.made) >= tickerLife {
		ticker = nil
		r.forget(e)
	}
	r.mu.Unlock()
	if ticker != nil {
		return ticker, nil
	}
	ticker, err := r.Poller(ctx, e.workspace)
	if err != nil || ticker == nil {
		return nil, err
	}
	r.keep(e, ticker)
	return ticker, nil
}

// keep keeps a ticker for the next poll, if one comes soon and there is room. Those that are kept stay: when there are more workspaces
// than room, which are all polled one after the other, throwing the oldest out would keep none long enough.
func (r *Rounds) keep(e *entry, t Ticker) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept < r.Kept && !e.gone() && !e.idle {
		e.ticker, e.made = t, time.Now()
		r.kept++
	}
}

// noAnswer says that a service answered nothing, or too late. Of one that was not asked in the poll's time, because the turns
// did not come, nothing is known.
func noAnswer(ctx context.Context, err error, inLine bool) bool {
	silent := errors.Is(err, ErrNoAnswer)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return !inLine && (silent || !errors.Is(err, store.ErrNoTurn))
	}
	return silent
}

// end notes how a poll ended, and when its workspace is polled next.
func (r *Rounds) end(ctx context.Context, p *poll, err error) {
	now := time.Now()
	r.mu.Lock()
	delete(r.running, p)
	r.agenda.leave(p.class)
	e := p.entry
	e.visited = now
	how := ended{began: p.began, at: now, cut: p.cut && ctx.Err() != nil, inLine: p.line.Waited()}
	how.unheard = !how.cut && noAnswer(ctx, err, waited(how.inLine, now.Sub(p.began)))
	r.agenda.reschedule(e, how)
	v := Visit{Workspace: e.workspace, Late: p.late, Took: now.Sub(p.began), Slow: e.slow || e.queued, Cut: how.cut, Err: err}
	gone, news := e.gone(), err != nil && !e.failing && !how.cut
	if !gone {
		e.failing = news || e.failing && err != nil
		r.agenda.add(e)
	}
	sum := r.polled.add(v, now)
	r.mu.Unlock()
	if e.shard.ctx.Err() == nil {
		r.report(ctx, v, news && !gone, sum)
	}
	r.wakeUp()
}
