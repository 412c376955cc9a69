package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// subject is one queue in one way of using it.
type subject struct {
	name    string
	workers int
	server  server
	open    func(ctx context.Context, workers int) (queue, error)
	asked   *atomic.Int64 // what was sent to the server so far: one for each command or statement
	rounds  []figures
}

// queue is a subject that is ready: its server is empty.
type queue interface {
	// put accepts a job durably; it returns when the server has confirmed it.
	put(ctx context.Context, id string) error
	// work hands jobs to handle until the function that it returns is called, which waits for the
	// end of them.
	work(handle func()) (stop func(), err error)
	close()
}

// producers put at the same time.
const producers = 16

// figures are those of one round.
type figures struct {
	pickups           []time.Duration // from the call of put to the first line of the handler
	putTime, workTime time.Duration   // of all jobs
	put, worked       cost            // of all jobs
	kept              int64           // bytes that the server holds when all is done; Redis only
}

// cost is what was spent on all jobs of a measurement.
type cost struct {
	asked    int64         // round trips: commands or statements of this process
	commands int64         // what the server carried out, those inside scripts included; Redis only
	server   time.Duration // CPU
	process  time.Duration // CPU
}

// measure measures every subject once a round, in turn.
func measure(ctx context.Context, subjects []*subject, p plan) error {
	for round := range p.rounds {
		for _, s := range subjects {
			fmt.Fprintf(os.Stderr, "round %d of %d: %s\n", round+1, p.rounds, s.name)
			f, err := s.round(ctx, p)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.rounds = append(s.rounds, f)
		}
	}
	return nil
}

// round measures the throughput first: all jobs are put, then they are worked on. The pick-up is
// that of an idle queue, one job after the other.
func (s *subject) round(ctx context.Context, p plan) (f figures, err error) {
	q, err := s.open(ctx, s.workers)
	if err != nil {
		return f, err
	}
	defer q.close()
	before, err := s.server.kept(ctx)
	if err != nil {
		return f, err
	}
	f.putTime, f.put, err = s.spent(ctx, func() error { return putAll(ctx, q, p.jobs) })
	if err != nil {
		return f, err
	}
	f.workTime, f.worked, err = s.spent(ctx, func() error { return workAll(ctx, q, p.jobs) })
	if err != nil {
		return f, err
	}
	after, err := s.server.kept(ctx)
	if err != nil {
		return f, err
	}
	f.kept = after - before
	f.pickups, err = pickUps(ctx, q, p.picks)
	return f, err
}

// spent says what do took, and what it cost.
func (s *subject) spent(ctx context.Context, do func() error) (time.Duration, cost, error) {
	before, err := s.costs(ctx)
	if err != nil {
		return 0, cost{}, err
	}
	start := time.Now()
	if err := do(); err != nil {
		return 0, cost{}, err
	}
	took := time.Since(start)
	after, err := s.costs(ctx)
	return took, cost{
		asked: after.asked - before.asked, commands: after.commands - before.commands,
		server: after.server - before.server, process: after.process - before.process,
	}, err
}

func (s *subject) costs(ctx context.Context) (cost, error) {
	c, err := s.server.spent(ctx)
	c.asked, c.process = s.asked.Load(), ownCPU()
	return c, err
}

func putAll(ctx context.Context, q queue, jobs int) error {
	var next atomic.Int64
	var all sync.WaitGroup
	failed := make(chan error, producers)
	for range producers {
		all.Go(func() {
			for n := next.Add(1); n <= int64(jobs); n = next.Add(1) {
				if err := q.put(ctx, "job-"+strconv.FormatInt(n, 10)); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(failed)
	return <-failed
}

// workAll works on what was put, and returns when the last job was begun: what a queue has still to
// note of the last few is not waited for.
func workAll(ctx context.Context, q queue, jobs int) error {
	var done atomic.Int64
	all := make(chan struct{})
	stop, err := q.work(func() {
		if done.Add(1) == int64(jobs) {
			close(all)
		}
	})
	if err != nil {
		return err
	}
	defer stop()
	return wait(ctx, all)
}

// pause lets a queue come to rest before the next job; it differs from job to job, so that it
// does not beat with a queue that looks at intervals.
func pause(n int) time.Duration { return time.Duration(100+37*n%200) * time.Millisecond }

func pickUps(ctx context.Context, q queue, picks int) ([]time.Duration, error) {
	picked := make(chan struct{}, 1)
	stop, err := q.work(func() { picked <- struct{}{} })
	if err != nil {
		return nil, err
	}
	defer stop()
	var all []time.Duration
	for n := range picks + 1 {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause(n)):
		}
		start := time.Now()
		if err := q.put(ctx, "pick-"+strconv.Itoa(n)); err != nil {
			return nil, err
		}
		if err := wait(ctx, picked); err != nil {
			return nil, err
		}
		if n > 0 { // the first one finds everything cold
			all = append(all, time.Since(start))
		}
	}
	return all, nil
}

func wait(ctx context.Context, done <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("not done: %w", ctx.Err())
	}
}
