package queue

import (
	"context"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// A queue without tenants becomes a tenant's part of another while nobody works on either. All of it may be repeated.

// Adopted is the name in this tenant's part for a key of another queue that is copied: a job, or an id that is known. It
// is "" for the others, which [Queue.Adopt] writes.
func (q *Queue) Adopted(from *Queue, key string) string {
	switch kind, name := from.kindOf(key); kind {
	case "job", "seen":
		return q.space.key(kind, q.space.name(name))
	}
	return ""
}

// kindOf is what a key of this queue holds, and of which job or lane.
func (q *Queue) kindOf(key string) (kind, name string) {
	kind, name, _ = strings.Cut(strings.TrimPrefix(key, q.space.key("")), ":")
	return kind, name
}

// Adopt makes the copied jobs this tenant's. keys are those of the other queue. Jobs that died or wait for later do so here;
// the others join their lanes again, in their order, as soon as somebody works here.
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

// inOrder ranks ids one after the other, in the past.
func inOrder(ids []string) []redis.Z {
	ranked := make([]redis.Z, len(ids))
	for i, id := range ids {
		ranked[i] = redis.Z{Score: float64(i), Member: id}
	}
	return ranked
}

// rank puts another queue's jobs into a sorted set of this one.
func (q *Queue) rank(ctx context.Context, theirs []redis.Z, set string) error {
	ours := make([]redis.Z, len(theirs))
	for i, z := range theirs {
		id, _ := z.Member.(string)
		ours[i] = redis.Z{Score: z.Score, Member: q.space.name(id)}
	}
	return q.space.rdb.ZAdd(ctx, set, ours...).Err()
}

// Worked returns the name of a process that worked on the queue within that time; "" when none did.
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
