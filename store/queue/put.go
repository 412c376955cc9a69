package queue

import (
	"context"
	"crypto/rand"
	"time"

	"darkroom/store/script"
)

// idempotencyTTL is how long the id of a job stays known after it was put or settled.
const idempotencyTTL = 25 * time.Hour

// PutArgs returns job for queue_put, see [Lua], in the trace of ctx. Take fresh ones for each put, and the same
// ones when a put is repeated because its answer was lost.
func (q *Queue) PutArgs(ctx context.Context, job Job) script.Args {
	ctx, done := q.spans.putting(ctx, "create", job)
	defer done(true, nil)
	return q.putArgs(ctx, job, 0)
}

func (q *Queue) putArgs(ctx context.Context, job Job, delay time.Duration) script.Args {
	return script.Args{
		"prefix": q.space.key(""), "share": q.space.limit, "id": q.space.name(job.ID), "lane": q.space.name(job.Lane), "kind": job.Kind, "body": string(job.Body),
		"delay": millis(delay), "nonce": rand.Text(), "remember": idempotencyTTL, "trace": traceOf(ctx),
	}
}

// millis rounds up: a wait is never shorter than asked.
func millis(d time.Duration) int64 {
	return max(0, (d + time.Millisecond - 1).Milliseconds())
}
