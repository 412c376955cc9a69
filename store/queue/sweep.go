package queue

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"darkroom/store/script"
)

// sweepEvery is how often lost tokens are looked for, by one replica for all; less often by one
// whose [Options].Idle is long.
const sweepEvery = 15 * time.Second

// sweepBatch is how many lanes one script looks at.
const sweepBatch = 100

// maintain repairs what a crash of Redis or of a replica left, until ctx ends.
func (r *runner) maintain(ctx context.Context) {
	every := max(sweepEvery, 10*r.q.o.Idle)
	for ctx.Err() == nil {
		mine, err := r.q.rdb.SetNX(ctx, r.q.key("sweep"), r.consumer, every*9/10).Result()
		if err == nil && mine {
			err = r.maintainOnce(ctx)
		}
		r.report(ctx, "sweep", err)
		wait(ctx, every+rand.N(every/10))
	}
}

func (r *runner) maintainOnce(ctx context.Context) error {
	if err := r.q.sweep(ctx); err != nil {
		return errorf("sweep", "lanes", err)
	}
	if err := r.q.reap(ctx, r.consumer); err != nil {
		return errorf("sweep", "consumers", err)
	}
	ids, err := r.q.unnotified(ctx)
	if err != nil {
		return errorf("sweep", "dead letters", err)
	}
	for _, id := range ids {
		if err := r.q.tell(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// sweep finds lanes whose token got lost, as when the end of the append-only
// file was cut or the stream deleted, and gives them a new one.
func (q *Queue) sweep(ctx context.Context) error {
	all, err := q.rdb.HKeys(ctx, q.key("tokens")).Result()
	if err != nil {
		return err
	}
	for lanes := range slices.Chunk(all, sweepBatch) {
		lost, err := q.script(ctx, "sweep", script.Args{"lanes": lanes}).StringSlice()
		if err != nil {
			return err
		}
		for _, lane := range lost {
			q.log.Warn("lane had lost its token", "lane", lane)
		}
	}
	return nil
}

// reap removes the names of consumers that died long ago and hold nothing.
func (q *Queue) reap(ctx context.Context, self string) error {
	return q.script(ctx, "reap", script.Args{"consumer": self, "idle": max(time.Minute, 10*q.o.Lease)}).Err()
}

// leave removes a consumer that has handed everything back.
func (q *Queue) leave(ctx context.Context, consumer string) error {
	return q.script(ctx, "leave", script.Args{"consumer": consumer}).Err()
}

// release hands back an entry that was read and not claimed.
func (q *Queue) release(ctx context.Context, entry string) error {
	return q.script(ctx, "release", script.Args{"entry": entry}).Err()
}
