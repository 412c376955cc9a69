package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	darkroom "darkroom/store/queue"
)

// ours are the ways in which the project uses its queue: 64 workers with a lane for each job, and
// with one lane for all, where jobs run one after the other in the order in which they were put.
func ours(r *redisServer, p plan) []*subject {
	lanes := func(name string, lane func(id string) string) *subject {
		asked := new(atomic.Int64)
		open := func(ctx context.Context, workers int) (queue, error) {
			rdb, err := r.empty(ctx, asked)
			if err != nil {
				return nil, err
			}
			q := darkroom.New(rdb, darkroom.Options{Workers: workers, Logger: slog.New(slog.DiscardHandler)})
			return &laned{q: q, rdb: rdb, lane: lane}, nil
		}
		return &subject{name: name, workers: p.workers, server: r, open: open, asked: asked}
	}
	return []*subject{
		lanes("darkroom, a lane for each job", func(id string) string { return id }),
		lanes("darkroom, one lane", func(string) string { return "one" }),
	}
}

// laned is our queue with a rule for its lanes.
type laned struct {
	q    *darkroom.Queue
	rdb  *redis.Client
	lane func(id string) string
}

func (l *laned) put(ctx context.Context, id string) error {
	added, err := l.q.Put(ctx, darkroom.Job{ID: id, Lane: l.lane(id), Kind: "bench", Body: []byte(body)})
	if err == nil && !added {
		return fmt.Errorf("%s is known", id)
	}
	return err
}

func (l *laned) work(handle func()) (func(), error) {
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = l.q.Run(ctx, func(context.Context, *darkroom.Delivery) error { handle(); return nil })
	}()
	return func() { end(); <-ended }, nil
}

func (l *laned) close() { _ = l.rdb.Close() }

// body is what each job carries, in every queue: about what one of ours does.
const body = `{"order":"84521","team":"T0STUDIO","channel":"C0PHOTOS","actor":"U0MARIA","words":["Brighter, please","and a warmer light"]}`

// laneCost is what a lane costs in Redis.
type laneCost struct {
	state string
	bytes float64 // each
}

// lanesCost measures the memory of jobs that wait, on lanes of their own and on one lane, and of
// what is left when they are done.
func lanesCost(ctx context.Context, r *redisServer, p plan) ([]laneCost, error) {
	var all []laneCost
	for _, s := range ours(r, p) {
		q, err := s.open(ctx, p.workers)
		if err != nil {
			return nil, err
		}
		was, err := r.kept(ctx)
		if err != nil {
			return nil, err
		}
		if err := putAll(ctx, q, p.jobs); err != nil {
			return nil, err
		}
		waiting, err := r.kept(ctx)
		if err != nil {
			return nil, err
		}
		if err := workAll(ctx, q, p.jobs); err != nil {
			return nil, err
		}
		done, err := r.kept(ctx)
		if err != nil {
			return nil, err
		}
		q.close()
		all = append(all,
			laneCost{s.name + ": a job that waits", float64(waiting-was) / float64(p.jobs)},
			laneCost{s.name + ": a job that is done, whose id is known for 25 h", float64(done-was) / float64(p.jobs)})
	}
	return all, nil
}
