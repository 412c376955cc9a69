package queue

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/carry"
	"darkroom/store/script"
)

// A queue without tenants becomes a tenant's part of another, under other names. Whatever nobody may find yet comes
// first: the jobs, then who is dead, then what joins a lane later, and at last the lanes, with new tokens. So a job is
// there when its lane is, and what is begun again after a crash changes nothing that was moved. Jobs keep what they
// know of their deliveries: the next one is not their first.

// Moving brings the jobs of one queue into a tenant's part of another.
type Moving struct {
	to, from *Queue
	by       *carry.Carrier
	step     func(ctx context.Context, moved int) error
	run      string // of the Redis that has the old queue
}

// Move brings all jobs of a queue without tenants here, to the tenant whose view this is; nobody may work on them
// meanwhile. step is called after each step, with how many keys it moved.
func (q *Queue) Move(ctx context.Context, from *Queue, by *carry.Carrier, step func(ctx context.Context, moved int) error) error {
	run, err := from.Inspector().RunOf(ctx)
	if err != nil {
		return errorf("move", "jobs", err)
	}
	m := &Moving{to: q, from: from, by: by, step: step, run: run}
	for _, part := range []struct {
		name string
		move func(ctx context.Context) error
	}{{"jobs", m.jobs}, {"known ids", m.seen}, {"dead letters", m.dead}, {"jobs for later", m.later}, {"lanes", m.lanes}, {"the rest", m.rest}} {
		if err := part.move(ctx); err != nil {
			return errorf("move", part.name, err)
		}
	}
	return nil
}

// RunOf is the run of the Redis that has the queue; "" when it does not tell.
func (in Inspector) RunOf(ctx context.Context) (string, error) {
	return in.space.script(ctx, "run_of", script.Args{}).Text()
}

// each walks the keys of a kind of the old queue.
func (m *Moving) each(ctx context.Context, kind string, f func(ctx context.Context, keys []string) error) error {
	return m.by.Each(ctx, m.from.space.key(kind, "*"), func(string) bool { return true }, func(ctx context.Context, keys []string) error {
		if err := f(ctx, keys); err != nil {
			return err
		}
		return m.step(ctx, len(keys))
	})
}

// named is what a key of a kind of the old queue is called here.
func (m *Moving) named(kind string) func(key string) string {
	return func(key string) string { return m.to.space.key(kind, m.to.space.name(m.own(kind, key))) }
}

// own is the id or the lane in a key of the old queue.
func (m *Moving) own(kind, key string) string {
	return strings.TrimPrefix(key, m.from.space.key(kind, ""))
}

// write runs a script that writes only while we move.
func (m *Moving) write(ctx context.Context, name string, args script.Args) error {
	fence, holder := m.by.Fenced()
	args["prefix"], args["share"], args["holder"] = m.to.space.key(""), m.to.space.limit, holder
	return carry.Took(scripts.Run(ctx, m.to.space.rdb, name, script.Keys{"fence": fence, "stream": m.to.space.key("stream")}, args).Int())
}

func (m *Moving) jobs(ctx context.Context) error {
	return m.each(ctx, "job", func(ctx context.Context, keys []string) error {
		lanes := make([]*redis.StringCmd, len(keys))
		err := m.from.space.look(ctx, func(p redis.Pipeliner) {
			for i, key := range keys {
				lanes[i] = p.HGet(ctx, key, "lane")
			}
		})
		if err != nil {
			return err
		}
		if err := m.by.Copy(ctx, keys, m.named("job")); err != nil {
			return err
		}
		moved := make([]script.Args, len(keys))
		for i, key := range keys {
			moved[i] = script.Args{"id": m.to.space.name(m.own("job", key)), "lane": m.to.space.name(lanes[i].Val())}
		}
		if err := m.write(ctx, "move_jobs", script.Args{"jobs": moved, "run": m.run}); err != nil {
			return err
		}
		return m.by.Remove(ctx, keys)
	})
}

func (m *Moving) seen(ctx context.Context) error {
	return m.each(ctx, "seen", func(ctx context.Context, keys []string) error { return m.by.Move(ctx, keys, m.named("seen")) })
}

// ranked moves the members of a sorted set of the old queue, some at a time.
func (m *Moving) ranked(ctx context.Context, set string, f func(ctx context.Context, members []redis.Z) error) error {
	for {
		found, err := m.from.space.rdb.ZRangeWithScores(ctx, m.from.space.key(set), 0, movePage-1).Result()
		if err != nil || len(found) == 0 {
			return err
		}
		if err := f(ctx, found); err != nil {
			return err
		}
		members := make([]any, len(found))
		for i, z := range found {
			members[i] = z.Member
		}
		if err := m.from.space.rdb.ZRem(ctx, m.from.space.key(set), members...).Err(); err != nil {
			return err
		}
		if err := m.step(ctx, 0); err != nil {
			return err
		}
	}
}

// movePage is how many jobs one step moves.
const movePage = 100

func (m *Moving) dead(ctx context.Context) error {
	return m.ranked(ctx, "dead", func(ctx context.Context, members []redis.Z) error {
		letters := make([]script.Args, len(members))
		for i, z := range members {
			id, _ := z.Member.(string)
			tell, err := m.score(ctx, "untold", id)
			if err != nil {
				return err
			}
			letters[i] = script.Args{"id": m.to.space.name(id), "at": ranking(z.Score), "tell": tell}
		}
		return m.write(ctx, "move_dead", script.Args{"letters": letters})
	})
}

func (m *Moving) later(ctx context.Context) error {
	return m.ranked(ctx, "later", func(ctx context.Context, members []redis.Z) error {
		later := make([]script.Args, len(members))
		for i, z := range members {
			id, _ := z.Member.(string)
			later[i] = script.Args{"id": m.to.space.name(id), "at": ranking(z.Score)}
		}
		return m.write(ctx, "move_later", script.Args{"later": later})
	})
}

// score is a member's place in a sorted set of the old queue; "" when it has none.
func (m *Moving) score(ctx context.Context, set, member string) (string, error) {
	score, err := m.from.space.rdb.ZScore(ctx, m.from.space.key(set), member).Result()
	if errors.Is(err, redis.Nil) {
		return "", nil
	}
	return ranking(score), err
}

func ranking(score float64) string { return strconv.FormatFloat(score, 'f', -1, 64) }

func (m *Moving) lanes(ctx context.Context) error {
	return m.each(ctx, "lane", func(ctx context.Context, keys []string) error {
		for _, key := range keys {
			if err := m.lane(ctx, key); err != nil {
				return err
			}
		}
		return m.by.Remove(ctx, keys)
	})
}

func (m *Moving) lane(ctx context.Context, key string) error {
	lane := m.own("lane", key)
	ids, err := m.from.space.rdb.LRange(ctx, key, 0, -1).Result()
	if err != nil {
		return err
	}
	due, err := m.score(ctx, "waiting", lane)
	if err != nil {
		return err
	}
	for i, id := range ids {
		ids[i] = m.to.space.name(id)
	}
	return m.write(ctx, "move_lane", script.Args{"lane": m.to.space.name(lane), "ids": ids, "due": due})
}

// rest removes what only the course of the old queue needed. Its stream stays: see [Queue.Shut].
func (m *Moving) rest(ctx context.Context) error {
	if err := m.each(ctx, "claim", m.by.Remove); err != nil {
		return err
	}
	var names []string
	for _, name := range []string{"tokens", "waiting", "later", "dead", "untold", "sweep", "ready"} {
		names = append(names, m.from.space.key(name))
	}
	return m.by.Remove(ctx, names)
}

// Worked returns the name of a process that worked on the queue within that time; "" when none did.
func (in Inspector) Worked(ctx context.Context, within time.Duration) (string, error) {
	consumers, err := in.space.rdb.XInfoConsumers(ctx, in.space.key("stream"), group).Result()
	if redis.HasErrorPrefix(err, "NOGROUP") || redis.HasErrorPrefix(err, "WRONGTYPE") || err != nil && strings.Contains(err.Error(), "no such key") {
		return "", nil
	}
	if err != nil {
		return "", errorf("look at", "workers", err)
	}
	for _, c := range consumers {
		if c.Idle < within {
			return c.Name, nil
		}
	}
	return "", nil
}

// Used tells whether anybody ever worked on the queue.
func (in Inspector) Used(ctx context.Context) (bool, error) {
	n, err := in.space.rdb.Exists(ctx, in.space.key("stream")).Result()
	return n > 0, errorf("look at", "stream", err)
}

// Shut puts words in the place of the stream, with all tokens gone: from then on nobody can put a job into the queue
// or take one from it, whichever version they are of. p may write more in the same step.
func (q *Queue) Shut(ctx context.Context, p redis.Pipeliner, words string) {
	p.Set(ctx, q.space.key("stream"), words, 0)
}
