package queue

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// Backlog describes the first jobs of the lanes, for metrics.
type Backlog struct {
	// PutOff counts the lanes that wait: for another attempt, for Slack's rate limit, for the end of an outage.
	PutOff int
	// Oldest is how long the oldest first job of a lane has been due, by kind.
	Oldest map[string]time.Duration
	// Kept are the jobs of the wanted kinds that were delivered and are not settled.
	Kept []Kept
	// Now is the time by the clock of Redis.
	Now time.Time
}

// Kept is a job under way with the state that its handler saved by [Delivery.SetState].
type Kept struct {
	Kind  string
	State json.RawMessage
}

// Backlog reads the first job of every lane, a page of lanes after the other, with the states of the wanted kinds. A job
// without a state is left out of Kept. Each lane takes Redis some microseconds, and no step holds others up.
func (in Inspector) Backlog(ctx context.Context, wanted ...string) (Backlog, error) {
	n, err := in.space.counts(ctx)
	if err != nil {
		return Backlog{}, errorf("look at", "lanes", err)
	}
	b := Backlog{PutOff: int(n.waiting), Now: time.UnixMilli(n.now), Oldest: map[string]time.Duration{}}
	if n.lanes == 0 {
		return b, nil
	}
	for lanes, err := range in.space.lanes(ctx, "") {
		if err == nil {
			err = in.addHeads(ctx, lanes, wanted, &b)
		}
		if err != nil {
			return Backlog{}, errorf("look at", "lanes", err)
		}
	}
	return b, nil
}

// addHeads adds the first jobs of these lanes to b. Jobs that are settled meanwhile do not count.
func (in Inspector) addHeads(ctx context.Context, lanes, wanted []string, b *Backlog) error {
	ids := make([]*redis.StringCmd, len(lanes))
	err := in.space.readAll(ctx, func(p redis.Pipeliner) {
		for i, lane := range lanes {
			ids[i] = p.LIndex(ctx, in.space.key("lane", lane), 0)
		}
	})
	if err != nil {
		return err
	}
	jobs := make([]*redis.SliceCmd, len(lanes))
	err = in.space.readAll(ctx, func(p redis.Pipeliner) {
		for i, id := range ids {
			jobs[i] = p.HMGet(ctx, in.space.key("job", id.Val()), "kind", "put", "due")
		}
	})
	if err != nil {
		return err
	}
	var kinds []string
	var states []*redis.StringCmd
	err = in.space.readAll(ctx, func(p redis.Pipeliner) {
		for i, job := range jobs {
			fields := job.Val()
			kind, there := fields[0].(string)
			if !there {
				continue
			}
			since, _ := fields[1].(string)
			if due, later := fields[2].(string); later {
				since = due
			}
			b.Oldest[kind] = max(b.Oldest[kind], b.Now.Sub(time.UnixMilli(number(since))))
			if slices.Contains(wanted, kind) {
				kinds, states = append(kinds, kind), append(states, p.HGet(ctx, in.space.key("job", ids[i].Val()), "state"))
			}
		}
	})
	for i, state := range states {
		if state.Err() == nil {
			b.Kept = append(b.Kept, Kept{Kind: kinds[i], State: raw(state.Val())})
		}
	}
	return err
}
