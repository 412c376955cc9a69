package queue

import (
	"context"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// These methods move a queue without tenants into a tenant's part of another queue, while no worker runs on either. Each
// step may be repeated.

// Adopted returns the new name for a key of another queue that is copied: a job, or a known id. It returns "" for other
// keys, which [Queue.Adopt] writes.
func (q *Queue) Adopted(from *Queue, key string) string {
	switch kind, name := from.kindOf(key); kind {
	case "job", "seen":
		return q.space.key(kind, q.space.name(name))
	}
	return ""
}

// kindOf splits a key of this queue into its kind and the name of its job or lane.
func (q *Queue) kindOf(key string) (kind, name string) {
	kind, name, _ = strings.Cut(strings.TrimPrefix(key, q.space.key("")), ":")
	return kind, name
}

// Adopt makes the copied jobs this tenant's. keys are all keys of the other queue. Dead and delayed jobs keep their state.
// The others join their lanes in order, as soon as a worker runs here.
func (q *Queue) Adopt(ctx context.Context, from *Queue, keys []string) (err error) {
	for _, key := range keys {
		switch kind, name := from.kindOf(key); kind {
		case "job":
			var lane string
			if lane, err = q.space.rdb.HGet(ctx, key, "lane").Result(); err == nil {
				err = q.space.rdb.HSet(ctx, q.space.key(kind, q.space.name(name)), "lane", q.space.name(lane)).Err()
			}
		case "lane":
			var ids []string
			if ids, err = q.space.rdb.LRange(ctx, key, 0, -1).Result(); err == nil {
				err = q.rank(ctx, inOrder(ids), q.space.key("later"))
			}
		case "dead", "untold", "later":
			var ranked []redis.Z
			if ranked, err = q.space.rdb.ZRangeWithScores(ctx, key, 0, -1).Result(); err == nil {
				err = q.rank(ctx, ranked, q.space.key(kind))
			}
			if err == nil && kind == "dead" {
				err = q.rank(ctx, ranked, q.space.deadKey())
			}
		}
		if err != nil {
			return errorf("adopt", key, err)
		}
	}
	return nil
}

// inOrder gives ids increasing due times in the past.
func inOrder(ids []string) []redis.Z {
	ranked := make([]redis.Z, len(ids))
	for i, id := range ids {
		ranked[i] = redis.Z{Score: float64(i), Member: id}
	}
	return ranked
}

// rank adds another queue's jobs to a sorted set of this one.
func (q *Queue) rank(ctx context.Context, theirs []redis.Z, set string) error {
	ours := make([]redis.Z, len(theirs))
	for i, z := range theirs {
		id, _ := z.Member.(string)
		ours[i] = redis.Z{Score: z.Score, Member: q.space.name(id)}
	}
	return q.space.rdb.ZAdd(ctx, set, ours...).Err()
}

// Worked returns the name of a process that worked on the queue within that time; "": there was none.
func (q *Queue) Worked(ctx context.Context, within time.Duration) (string, error) {
	consumers, err := q.space.rdb.XInfoConsumers(ctx, q.space.key("stream"), group).Result()
	if redis.HasErrorPrefix(err, "NOGROUP") || redis.HasErrorPrefix(err, "WRONGTYPE") || err != nil && strings.Contains(err.Error(), "no such key") {
		return "", nil
	}
	for _, c := range consumers {
		if c.Idle < within {
			return c.Name, nil
		}
	}
	return "", errorf("look at", "workers", err)
}
