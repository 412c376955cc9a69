package queue

import (
	"context"
	"time"
)

var promoteScript = newScript("promote", keysLua, putLua, tokenLua)

// promote gives the lanes that waited long enough their tokens back and moves
// later jobs that are due into their lanes. It returns how long until the next
// is due: 0 when more is due now, negative when nothing waits.
func (q *Queue) promote(ctx context.Context) (time.Duration, error) {
	ms, err := q.script(ctx, promoteScript, q.scope()).Int64()
	if err != nil {
		return 0, errorf("schedule", "lanes", err)
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// schedule brings back what waits, until ctx ends.
func (r *runner) schedule(ctx context.Context) {
	pause, lookEvery := newPause(), 2*r.q.o.Idle // bounds how late we notice what another process scheduled
	for ctx.Err() == nil {
		next, err := r.q.promote(ctx)
		r.outage.report(ctx, "schedule", err)
		switch {
		case err != nil:
			next = pause.NextBackOff()
		case next < 0 || next > lookEvery:
			next = lookEvery
		}
		if err == nil {
			pause.Reset()
		}
		r.sleep(ctx, next)
	}
}

// sleep waits for d, or less when something was scheduled in this process.
func (r *runner) sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-r.q.poke:
	case <-timer.C:
	}
}
