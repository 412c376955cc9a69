package queue

import (
	"context"
	"errors"
	"iter"

	"github.com/redis/go-redis/v9"

	"darkroom/store/script"
)

// Stats counts what the queue holds.
type Stats struct {
	Jobs    int // in lanes, those being worked on included
	Lanes   int // with at least one job
	Delayed int // jobs put with a delay that is not over
	Dead    int // dead letters
}

// Inspector looks at what a queue holds, or a tenant's view of it. It changes nothing.
type Inspector struct{ space *space }

// Inspector returns the queue's inspector.
func (q *Queue) Inspector() Inspector { return Inspector{q.space} }

// Stats counts in one atomic step, but for the jobs. It counts those a page of lanes after the other, so that Redis serves
// others in between. Jobs is 0 only when there are no lanes.
func (in Inspector) Stats(ctx context.Context) (Stats, error) {
	n, err := in.space.counts(ctx)
	if err != nil {
		return Stats{}, errorf("count", "jobs", err)
	}
	s := Stats{Lanes: int(n.lanes), Delayed: int(n.delayed), Dead: int(n.dead)}
	if s.Lanes == 0 {
		return s, nil
	}
	for lanes, err := range in.space.lanes(ctx, "") {
		if err != nil {
			return Stats{}, errorf("count", "jobs", err)
		}
		jobs := make([]*redis.IntCmd, len(lanes))
		err := in.space.readAll(ctx, func(p redis.Pipeliner) {
			for i, lane := range lanes {
				jobs[i] = p.LLen(ctx, in.space.key("lane", lane))
			}
		})
		if err != nil {
			return Stats{}, errorf("count", "jobs", err)
		}
		for _, n := range jobs {
			s.Jobs += int(n.Val())
		}
	}
	s.Jobs = max(s.Jobs, s.Lanes) // some may have been done meanwhile
	return s, nil
}

// counts are numbers that Redis knows without counting.
type counts struct{ lanes, delayed, dead, waiting, now int64 }

func (s *space) counts(ctx context.Context) (counts, error) {
	n, err := s.script(ctx, "stats", script.Args{}).Int64Slice()
	if err != nil {
		return counts{}, err
	}
	return counts{lanes: n[0], delayed: n[1], dead: n[2], waiting: n[3], now: n[4]}, nil
}

// page is about how many lanes one step reads.
const page = 500

// lanes returns the lanes with jobs whose names match a pattern, page by page; "" matches all. A lane that comes or goes
// meanwhile may be missing, or come twice.
func (s *space) lanes(ctx context.Context, match string) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for cursor := uint64(0); ; {
			tokens, next, err := s.rdb.HScan(ctx, s.key("tokens"), cursor, match, page).Result()
			if err != nil {
				yield(nil, err)
				return
			}
			lanes := make([]string, 0, len(tokens)/2)
			for i := 0; i+1 < len(tokens); i += 2 {
				lanes = append(lanes, tokens[i])
			}
			if !yield(lanes, nil) || next == 0 {
				return
			}
			cursor = next
		}
	}
}

// Idle reports whether the view's tenant has no job in a lane. Jobs that are not due and dead letters do not count. It scans
// the lanes of all tenants, a page at a time.
func (in Inspector) Idle(ctx context.Context) (bool, error) {
	for lanes, err := range in.space.lanes(ctx, in.space.name("*")) {
		if err != nil || len(lanes) > 0 {
			return false, errorf("look for", "jobs", err)
		}
	}
	return true, nil
}

// readAll sends a pipeline of reads. A missing value is not an error.
func (s *space) readAll(ctx context.Context, at func(p redis.Pipeliner)) error {
	cmds, err := s.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		at(p)
		return nil
	})
	for _, cmd := range cmds {
		if err := cmd.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
	}
	if errors.Is(err, redis.Nil) {
		return nil
	}
	return err
}
