package queue

import (
	"context"

	"darkroom/store/script"
)

// Wake has a job delivered soon that is there for good, and waits idly between its deliveries, see [Idle]; with force also one that
// just waits. A job that is not there is put. One that is being worked on comes back at once when it would idle next.
func (q *Queue) Wake(ctx context.Context, job Job, force bool) error {
	if err := job.validate(); err != nil {
		return err
	}
	args := q.WakeArgs(job)
	if force {
		args["force"] = true
	}
	err := q.script(ctx, "wake", args).Err()
	q.wakeScheduler()
	return errorf("wake", job.ID, err)
}

// WakeArgs returns a job for queue_wake, see [Lua]: a script that says USES: wake wakes the job in the same atomic step as its
// own writes.
func (q *Queue) WakeArgs(job Job) script.Args {
	args := q.putArgs(context.Background(), job, 0) // no trace: the job outlives what it is woken for
	args["trace"] = ""
	return args
}

// WakeAll ends all waits of now, as when what the jobs waited for is reckoned otherwise. It takes a hundred lanes at a time,
// those that would have waited longest first.
func (q *Queue) WakeAll(ctx context.Context) error {
	left, err := q.rdb.ZCard(ctx, q.key("waiting")).Result()
	for ; err == nil && left > 0; left -= wakeBatch {
		err = q.script(ctx, "wake_all", script.Args{}).Err()
	}
	return errorf("wake", "all", err)
}

// wakeBatch is how many lanes wake_all.lua takes.
const wakeBatch = 100

// Beside is another queue in the same keyspace, of the same tenant: its jobs are put in the same atomic step as this one's.
func (q *Queue) Beside(name string) *Queue {
	other := *q
	other.o.Name, other.wake = name, make(chan struct{}, 1)
	return &other
}
