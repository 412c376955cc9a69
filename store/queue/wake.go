package queue

import (
	"context"

	"darkroom/store/script"
)

// Wake delivers a job soon that idles, see [Idle]; with force also a job that waits. It puts a job that is not there. A job
// that is being worked on comes back at once when it would idle next; in a queue of recurring jobs also when it is done.
func (q *Queue) Wake(ctx context.Context, job Job, force bool) error {
	if err := job.validate(); err != nil {
		return err
	}
	args := q.WakeArgs(job)
	if force {
		args["force"] = true
	}
	return errorf("wake", job.ID, q.space.script(ctx, "wake", args).Err())
}

// WakeArgs returns a job for queue_wake, see [Lua]. A script with USES: wake wakes the job in the same atomic step as its own
// writes.
func (q *Queue) WakeArgs(job Job) script.Args {
	args := q.putArgs(context.Background(), job, 0) // no trace: the job outlives what it is woken for
	args["trace"] = ""
	return args
}

// WakeAll ends all waits of now, as after a new schedule. It takes a hundred lanes at a time, those that would have waited
// longest first.
func (q *Queue) WakeAll(ctx context.Context) error {
	left, err := q.space.rdb.ZCard(ctx, q.space.key("waiting")).Result()
	for ; err == nil && left > 0; left -= wakeBatch {
		err = q.space.script(ctx, "wake_all", script.Args{}).Err()
	}
	return errorf("wake", "all", err)
}

// wakeBatch is how many lanes wake_all.lua takes.
const wakeBatch = 100

// Beside returns a queue of recurring jobs in the same keyspace, of the same tenant. One script may put jobs into both.
func (q *Queue) Beside(name string) *Queue {
	other := New(q.space.rdb, q.o.Beside(name))
	other.space.tenant = q.space.tenant
	return other
}

// Beside returns the options of a queue of recurring jobs in the same keyspace.
func (o Options) Beside(name string) Options {
	o.Name, o.Recurring = name, true
	return o
}
