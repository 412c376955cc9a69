package queue

import (
	"context"

	"darkroom/store/script"
)

// Wake ends the idle wait of a job, see [Idle]; with force, any wait. It puts a missing job. A running job comes back at once
// when it would idle next; in a queue of recurring jobs also when it is done.
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
	args := q.putArgs(context.Background(), job, 0) // no trace: the job outlives the request that wakes it
	args["trace"] = ""
	return args
}

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
