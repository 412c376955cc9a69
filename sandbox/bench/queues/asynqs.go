package main

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

// asynqs are the ways in which asynq is used: as it comes, with ids that stay known for as long as
// ours do (asynq.Retention keeps the whole task for that), and with one worker, which is its way to
// keep an order.
func asynqs(r *redisServer, p plan) []*subject {
	use := func(name string, workers int, known bool) *subject {
		asked := new(atomic.Int64)
		open := func(ctx context.Context, workers int) (queue, error) {
			rdb, err := r.empty(ctx, asked)
			if err != nil {
				return nil, err
			}
			return &asynqQueue{rdb: rdb, client: asynq.NewClientFromRedisClient(rdb), workers: workers, known: known}, nil
		}
		return &subject{name: name, workers: workers, server: r, open: open, asked: asked}
	}
	return []*subject{
		use("asynq, ids known for 25 h", p.workers, true),
		use("asynq, as it comes", p.workers, false),
		use("asynq, one worker, ids known for 25 h", 1, true),
	}
}

type asynqQueue struct {
	rdb     *redis.Client
	client  *asynq.Client
	workers int
	known   bool
}

func (q *asynqQueue) put(ctx context.Context, id string) error {
	var options []asynq.Option
	if q.known {
		options = []asynq.Option{asynq.TaskID(id), asynq.Retention(25 * time.Hour)}
	}
	_, err := q.client.EnqueueContext(ctx, asynq.NewTask("bench", []byte(body)), options...)
	return err
}

func (q *asynqQueue) work(handle func()) (func(), error) {
	s := asynq.NewServerFromRedisClient(q.rdb, asynq.Config{Concurrency: q.workers, LogLevel: asynq.FatalLevel})
	err := s.Start(asynq.HandlerFunc(func(context.Context, *asynq.Task) error { handle(); return nil }))
	return s.Shutdown, err
}

func (q *asynqQueue) close() { _ = q.rdb.Close() }
