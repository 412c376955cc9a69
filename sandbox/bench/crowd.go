package main

import (
	"errors"
	"fmt"
	"log"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/sandbox/crowd"
)

// crowdResult is how one app for many workspaces fares as they grow.
type crowdResult struct {
	Sizes []crowdFigures `json:"sizes"`
	Idle  []idleFigures  `json:"idle"`
}

// crowdFigures are those of so many workspaces with ten active orders each.
type crowdFigures struct {
	Workspaces int     `json:"workspaces"`
	Settled    float64 `json:"settled_s"` // from the start of the binary until all were polled and none waited

	Polls    float64   `json:"polls_s"`   // of workspaces, a second
	Requests float64   `json:"requests"`  // to the services, a poll
	Late     late      `json:"late_ms"`   // how long after it was due a poll began
	App      float64   `json:"app_cpu"`   // of a core
	Redis    []float64 `json:"redis_cpu"` // of each node
	Commands []float64 `json:"commands"`  // a second, of each node

	Quiet      appMemory `json:"quiet"`       // before anything changed
	RedisAfter int64     `json:"redis_after"` // of all nodes, with the workspaces

	Changes  int       `json:"changes"`
	Told     figures99 `json:"told_ms"` // change to message
	ToldPoll figures99 `json:"poll_ms"` // poll that showed it to message
	Busy     appMemory `json:"busy"`    // after them
	BusyApp  float64   `json:"busy_app_cpu"`
}

// idleFigures are those of workspaces that have nothing to poll.
type idleFigures struct {
	Workspaces int       `json:"workspaces"`
	Memory     appMemory `json:"memory"`
	App        float64   `json:"app_cpu"`
}

// appMemory is what the binary holds.
type appMemory struct {
	memory
	Heap int64 `json:"heap"` // that lives, after a collection
}

// late is what its histogram tells.
type late struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Most float64 `json:"most"`
}

// figures99 are a few durations in milliseconds.
type figures99 struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Most float64 `json:"most"`
}

func figures99Of(all []time.Duration) figures99 {
	slices.Sort(all)
	if len(all) == 0 {
		return figures99{}
	}
	return figures99{ms(percentile(all, 0.5)), ms(percentile(all, 0.99)), ms(all[len(all)-1])}
}

// The sizes of the part.
const (
	crowdActive   = 10                    // orders of each workspace
	crowdSchedule = "@every 30s"          // the default
	crowdPeriod   = 30 * time.Second      // of it
	crowdLatency  = 50 * time.Millisecond // of Slack and of the services
	crowdRate     = 20                    // changes a second at most, while any are measured: one a workspace in the period
	crowdKey      = "the key that seals for a crowd of a benchmark"
)

// crowds measures them all, or those sizes that are asked for.
func (b *bench) crowds() error {
	r := b.results.Crowd
	if r == nil {
		r = &crowdResult{}
		b.results.Crowd = r
	}
	for size := range strings.SplitSeq(b.o.workspaces, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			return err
		}
		if err := b.crowdsOf(r, n); err != nil {
			return fmt.Errorf("%d workspaces: %w", n, err)
		}
	}
	return nil
}

// crowdsOf measures one size, with orders and, of the smallest and of large ones, without.
func (b *bench) crowdsOf(r *crowdResult, n int) error {
	if err := b.crowdOf(r, n); err != nil || n > 10 && n < 10_000 {
		return err
	}
	idle, err := b.idleCrowd(n)
	if err != nil {
		return err
	}
	return b.keepCrowd(func() {
		r.Idle = append(slices.DeleteFunc(r.Idle, func(f idleFigures) bool { return f.Workspaces == n }), idle)
		slices.SortFunc(r.Idle, func(a, b idleFigures) int { return a.Workspaces - b.Workspaces })
	})
}

// keepCrowd writes what was found so far: a crowd is measured for minutes.
func (b *bench) keepCrowd(add func()) error {
	add()
	return b.save()
}

// crowdOf measures so many workspaces with ten active orders each.
func (b *bench) crowdOf(r *crowdResult, n int) error {
	w, err := b.startCrowd(crowd.Options{Workspaces: n, Orders: crowdActive, Channels: crowdActive})
	if err != nil {
		return err
	}
	defer w.close()
	f := crowdFigures{Workspaces: n}
	began := time.Now()
	// Each has been polled once, and what is kept of them is there.
	if err := w.settled(); err != nil {
		return fmt.Errorf("%w; it says:\n%s", err, w.app.said())
	}
	f.Settled = time.Since(began).Seconds()
	if err := w.pause(crowdPeriod / 6); err != nil {
		return err
	}
	if err := w.quiet(&f); err != nil {
		return err
	}
	if err := w.changes(&f); err != nil {
		return fmt.Errorf("%w; it says:\n%s", err, w.app.said())
	}
	log.Printf("%6d workspaces: %.1f polls/s, late %.0f ms (p99 %.0f), app %.0f %% of a core, told in %.1f s (p99 %.1f), after the poll in %.0f ms (p99 %.0f), %d MB, heap %d MB",
		n, f.Polls, f.Late.P50, f.Late.P99, 100*f.App, f.Told.P50/1000, f.Told.P99/1000, f.ToldPoll.P50, f.ToldPoll.P99, f.Busy.RSS>>20, f.Busy.Heap>>20)
	err = b.keepCrowd(func() {
		r.Sizes = append(slices.DeleteFunc(r.Sizes, func(f crowdFigures) bool { return f.Workspaces == n }), f)
		slices.SortFunc(r.Sizes, func(a, b crowdFigures) int { return a.Workspaces - b.Workspaces })
	})
	return errors.Join(err, w.crowd.Wrong())
}

// idleCrowd measures workspaces that have added the app, and no orders.
func (b *bench) idleCrowd(n int) (f idleFigures, err error) {
	w, err := b.startCrowd(crowd.Options{Workspaces: n})
	if err != nil {
		return f, err
	}
	defer w.close()
	f.Workspaces = n
	if err := w.pause(crowdPeriod + crowdPeriod/3); err != nil {
		return f, err
	}
	used, began := w.app.cpu(), time.Now()
	if err := w.pause(crowdPeriod / 3); err != nil {
		return f, err
	}
	f.App = float64(w.app.cpu()-used) / float64(time.Since(began))
	f.Memory, err = w.memoryOfApp()
	log.Printf("%6d idle workspaces: %d MB, heap %d kB, %.0f %% of a core", n, f.Memory.RSS>>20, f.Memory.Heap>>10, 100*f.App)
	return f, err
}
