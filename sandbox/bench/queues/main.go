// Command queues measures the project's job queue beside two others, in one run on this machine:
// hibiken/asynq on the very same redis-server, riverqueue/river on a PostgreSQL of its own. It is a
// module of its own, so that nothing of theirs is among what the project is built from.
//
// Each round measures every subject once, one after the other; what is shown are medians over the
// rounds. Handlers do nothing: what is measured is what a queue costs, not what a job does.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

// plan is how much is measured.
type plan struct {
	rounds, jobs, picks, workers int
	servers                      string // the CPU that the servers are pinned to; "" pins nothing
}

func main() {
	var p plan
	flag.IntVar(&p.rounds, "rounds", 5, "how often each subject is measured")
	flag.IntVar(&p.jobs, "jobs", 10_000, "jobs of one measurement of the throughput")
	flag.IntVar(&p.picks, "picks", 30, "jobs of one measurement of the pick-up")
	flag.IntVar(&p.workers, "workers", 64, "jobs that are worked on at a time")
	flag.StringVar(&p.servers, "servers", "", "the CPU that Redis and PostgreSQL are pinned to, by taskset")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, p); err != nil {
		fmt.Fprintln(os.Stderr, "queues:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, p plan) error {
	redis, err := startRedis(ctx, p.servers)
	if err != nil {
		return err
	}
	defer redis.stop()
	subjects := append(ours(redis, p), asynqs(redis, p)...)
	postgres, err := startPostgres(ctx, p.servers)
	switch {
	case errors.Is(err, errNone):
		fmt.Fprintln(os.Stderr, "no PostgreSQL here: river is left out")
	case err != nil:
		return err
	default:
		defer postgres.stop()
		subjects = append(subjects, rivers(postgres, p)...)
	}
	if err := measure(ctx, subjects, p); err != nil {
		return err
	}
	lanes, err := lanesCost(ctx, redis, p)
	if err != nil {
		return err
	}
	show(os.Stdout, subjects, lanes, p)
	return nil
}
