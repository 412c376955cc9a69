package queue

import (
	"context"
	"time"

	"darkroom/store/script"
)

// promote gives the lanes that waited long enough their tokens back and moves
// later jobs that are due into their lanes. It returns how long until the next
// is due: 0 when more is due now, negative when nothing waits.
func (u upkeep) promote(ctx context.Context) (time.Duration, error) {
	ms, err := u.space.script(ctx, "promote", script.Args{}).Int64()
	return time.Duration(ms) * time.Millisecond, errorf("schedule", "lanes", err)
}

// schedule brings back what waits, until ctx ends.
func (r *runner) schedule(ctx context.Context) {
	pause, lookEvery := newPause(), r.q.o.lookEvery()
	for ctx.Err() == nil {
		next, err := r.q.upkeep().promote(ctx)
		r.report(ctx, "schedule", err)
		switch {
		case err != nil:
			next = pause.NextBackOff()
		case next < 0 || next > lookEvery:
			next = lookEvery
		}
		if err == nil {
			pause.Reset()
		}
		waitOr(ctx, next, r.q.wake) // less when something was scheduled in this process
	}
}

// lookEvery bounds how late a process notices what another one scheduled.
func (o Options) lookEvery() time.Duration { return 2 * o.Idle }
