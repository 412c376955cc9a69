package queue

import (
	"context"
	"math/rand/v2"
	"time"
)

// sweepEvery is how often lost tokens are looked for, by one replica for all.
const sweepEvery = 15 * time.Second

// tidy repairs what a crash of Redis or of a replica left, until ctx ends.
func (r *runner) tidy(ctx context.Context) {
	for ctx.Err() == nil {
		mine, err := r.q.rdb.SetNX(ctx, r.q.key("sweep"), r.consumer, sweepEvery*9/10).Result()
		if err == nil && mine {
			err = r.tidyOnce(ctx)
		}
		r.outage.report(ctx, "sweep", err)
		wait(ctx, sweepEvery+rand.N(sweepEvery/10))
	}
}

func (r *runner) tidyOnce(ctx context.Context) error {
	if err := r.q.sweep(ctx); err != nil {
		return errorf("sweep", "lanes", err)
	}
	if err := r.q.reap(ctx, r.consumer); err != nil {
		return errorf("sweep", "consumers", err)
	}
	ids, err := r.q.untold(ctx)
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
	var cursor uint64
	for {
		found, next, err := q.rdb.HScan(ctx, q.key("tokens"), cursor, "", 200).Result()
		if err != nil {
			return err
		}
		if err := q.sweepLanes(ctx, found); err != nil {
			return err
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

var sweepScript = newScript("sweep", keysLua, putLua, tokenLua)

// sweepArgs are the argument of sweep.lua.
type sweepArgs struct {
	scope
	Lanes []string `json:"lanes"`
}

// sweepLanes looks at a page of HSCAN: lanes and their tokens in turn.
func (q *Queue) sweepLanes(ctx context.Context, found []string) error {
	var lanes []string
	for i := 0; i < len(found); i += 2 {
		lanes = append(lanes, found[i])
	}
	if len(lanes) == 0 {
		return nil
	}
	lost, err := q.script(ctx, sweepScript, sweepArgs{q.scope(), lanes}).StringSlice()
	if err != nil {
		return err
	}
	for _, lane := range lost {
		q.log.Warn("lane had lost its token", "lane", lane)
	}
	return nil
}

var reapScript = newScript("reap")

// reapArgs are the argument of reap.lua.
type reapArgs struct {
	Consumer string `json:"consumer"`    // our own
	Idle     int64  `json:"idle,string"` // ms
}

// reap removes the names of consumers that died long ago and hold nothing.
func (q *Queue) reap(ctx context.Context, self string) error {
	idle := max(time.Minute, 10*q.o.Lease)
	return q.script(ctx, reapScript, reapArgs{self, idle.Milliseconds()}).Err()
}

var leaveScript = newScript("leave")

// leaveArgs are the argument of leave.lua.
type leaveArgs struct {
	Consumer string `json:"consumer"`
}

// leave removes a consumer that has handed everything back.
func (q *Queue) leave(ctx context.Context, consumer string) error {
	return q.script(ctx, leaveScript, leaveArgs{consumer}).Err()
}

var releaseScript = newScript("release", keysLua, putLua, tokenLua)

// releaseArgs are the argument of release.lua.
type releaseArgs struct {
	scope
	Entry string `json:"entry"`
}

// release hands back an entry that was read and not claimed.
func (q *Queue) release(ctx context.Context, entry string) error {
	return q.script(ctx, releaseScript, releaseArgs{q.scope(), entry}).Err()
}
