package queue

import (
	"context"
	"time"

	"darkroom/store/script"
)

// promote gives tokens to the lanes whose wait is over, and moves due delayed jobs into their lanes. It returns the time
// until the next is due; 0: more may be due now; negative: nothing waits.
func (u upkeep) promote(ctx context.Context) (time.Duration, error) {
	ms, err := u.space.script(ctx, "promote", script.Args{}).Int64()
	return time.Duration(ms) * time.Millisecond, errorf("schedule", "lanes", err)
}

// schedule ends waits that are over, until ctx ends.
func (r *runner) schedule(ctx context.Context) {
	pause, every := newPause(), r.q.o.scheduleInterval()
	for ctx.Err() == nil {
		next, err := r.q.upkeep().promote(ctx)
		r.report(ctx, "schedule", err)
		switch {
		case err != nil:
			next = pause.NextBackOff()
		case next < 0 || next > every:
			next = every
		}
		if err == nil {
			pause.Reset()
		}
		waitOr(ctx, next, r.q.wake) // shorter if this process schedules a wait
	}
}

// scheduleInterval bounds how late a process notices a wait that another one scheduled.
func (o Options) scheduleInterval() time.Duration { return 2 * o.Idle }
