package queue

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"darkroom/store/script"
)

// sweepEvery is how often one replica repairs lost tokens for all; less often with a long [Options].Idle.
const sweepEvery = 15 * time.Second

// sweepBatch is how many lanes one script looks at.
const sweepBatch = 100

// maintain repairs the damage of crashes of Redis or a replica, until ctx ends.
func (r *runner) maintain(ctx context.Context) {
	every := max(sweepEvery, 10*r.q.o.Idle)
	for ctx.Err() == nil {
		mine, err := r.q.space.rdb.SetNX(ctx, r.q.space.key("sweep"), r.consumer, every*9/10).Result()
		if err == nil && mine {
			err = r.maintainOnce(ctx)
		}
		r.report(ctx, "sweep", err)
		wait(ctx, every+rand.N(every/10))
	}
}

func (r *runner) maintainOnce(ctx context.Context) error {
	if err := r.q.upkeep().sweep(ctx); err != nil {
		return errorf("sweep", "lanes", err)
	}
	if err := r.q.upkeep().reap(ctx, r.consumer); err != nil {
		return errorf("sweep", "consumers", err)
	}
	ids, err := r.q.upkeep().unnotified(ctx)
	if err != nil {
		return errorf("sweep", "dead letters", err)
	}
	for _, id := range ids {
		if err := r.q.deathNotifier().notify(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// upkeep repairs the queue and ends waits.
type upkeep struct {
	space *space
	lease time.Duration
	log   *slog.Logger
}

func (q *Queue) upkeep() upkeep { return upkeep{q.space, q.o.Lease, q.log} }

// sweep gives a new token to lanes that lost theirs, e.g. because the end of the append-only file was cut or the stream
// deleted.
func (u upkeep) sweep(ctx context.Context) error {
	all, err := u.space.rdb.HKeys(ctx, u.space.key("tokens")).Result()
	if err != nil {
		return err
	}
	for lanes := range slices.Chunk(all, sweepBatch) {
		lost, err := u.space.script(ctx, "sweep", script.Args{"lanes": lanes}).StringSlice()
		if err != nil {
			return err
		}
		for _, lane := range lost {
			u.log.Warn("lane had lost its token", "lane", lane)
		}
	}
	return nil
}

// reap removes consumers that died long ago and hold no lane.
func (u upkeep) reap(ctx context.Context, self string) error {
	return u.space.script(ctx, "reap", script.Args{"consumer": self, "idle": max(time.Minute, 10*u.lease)}).Err()
}

// leave removes a consumer that has handed all its lanes back.
func (u upkeep) leave(ctx context.Context, consumer string) error {
	return u.space.script(ctx, "leave", script.Args{"consumer": consumer}).Err()
}

// release hands back an entry that was read and not claimed.
func (cs claims) release(ctx context.Context, entry string) error {
	return cs.space.script(ctx, "release", script.Args{"entry": entry}).Err()
}
