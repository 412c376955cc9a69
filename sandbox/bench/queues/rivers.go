package main

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// rivers are the ways in which river is used; with one worker it takes a job each 100 ms by itself
// (FetchCooldown), which is left out. PostgreSQL confirms a commit before or after it is on
// the disk: after is what it does by itself, before is what an append-only file that is synced every
// second does.
func rivers(s *postgresServer, p plan) []*subject {
	use := func(name, synchronous string, cooldown time.Duration, unique bool) *subject {
		asked := new(atomic.Int64)
		open := func(ctx context.Context, workers int) (queue, error) {
			return openRiver(ctx, s, asked, workers, synchronous, cooldown, unique)
		}
		return &subject{name: name, workers: p.workers, server: s, open: open, asked: asked}
	}
	return []*subject{
		use("river, unique ids, commits before the disk", "off", 0, true),
		use("the same, looks every 1 ms", "off", time.Millisecond, true),
		use("river, as it comes, commits on the disk", "on", 0, false),
	}
}

type riverQueue struct {
	pool     *pgxpool.Pool
	client   *river.Client[pgx.Tx] // puts
	workers  int
	cooldown time.Duration // between two looks for jobs; 0 is what river has by itself, 100 ms
	unique   bool
}

// riverArgs are a job of river's.
type riverArgs struct {
	ID   string `json:"id" river:"unique"`
	Body string `json:"body"`
}

// Kind implements [river.JobArgs].
func (riverArgs) Kind() string { return "bench" }

func openRiver(ctx context.Context, s *postgresServer, asked *atomic.Int64, workers int, synchronous string, cooldown time.Duration, unique bool) (*riverQueue, error) {
	pool, err := s.empty(ctx, asked, synchronous)
	if err != nil {
		return nil, err
	}
	migrate, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	if _, err := migrate.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return nil, err
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Logger: slog.New(slog.DiscardHandler)})
	return &riverQueue{pool: pool, client: client, workers: workers, cooldown: cooldown, unique: unique}, err
}

func (q *riverQueue) put(ctx context.Context, id string) error {
	_, err := q.client.Insert(ctx, riverArgs{ID: id, Body: body}, &river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: q.unique}})
	return err
}

func (q *riverQueue) work(handle func()) (func(), error) {
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(func(context.Context, *river.Job[riverArgs]) error { handle(); return nil }))
	client, err := river.NewClient(riverpgxv5.New(q.pool), &river.Config{
		Logger: slog.New(slog.DiscardHandler), Workers: workers, FetchCooldown: q.cooldown,
		Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: q.workers}},
	})
	if err != nil {
		return nil, err
	}
	if err := client.Start(context.Background()); err != nil {
		return nil, err
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = client.Stop(ctx)
	}, nil
}

func (q *riverQueue) close() { q.pool.Close() }
