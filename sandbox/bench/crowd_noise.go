package main

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"time"

	"darkroom/sandbox/crowd"
)

// noises measures the others beside a noisy workspace, one kind of noise after the other.
func (w *crowdWorld) noises(r *crowdResult, alone []crowd.Latency) error {
	n := w.crowd.Len()
	for _, kind := range noises[:min(1+n/10_000, len(noises))] { // beside few, the first kind alone
		one, err := w.noise(kind, alone)
		if err != nil {
			return fmt.Errorf("%s: %w; it says:\n%s", kind.what, err, w.app.said())
		}
		one.Workspaces = n
		log.Printf("%6d workspaces beside one %s: told in %.1f s (p99 %.1f), after the poll in %.0f ms (p99 %.0f); app %.0f %% of a core", n, kind.what, one.BesideTold.P50/1000, one.BesideTold.P99/1000, one.Beside.P50, one.Beside.P99, 100*one.App)
		if err := w.keepCrowd(func() { r.Noise = append(r.Noise, one) }); err != nil {
			return err
		}
	}
	return nil
}

// changes measures changes from the service to Slack, spread over the workspaces but the first.
func (w *crowdWorld) changes(f *crowdFigures) (alone []crowd.Latency, err error) {
	before, err := w.usage()
	if err != nil {
		return nil, err
	}
	alone, err = w.spread(notTheFirst, nil)
	if err != nil {
		return nil, err
	}
	after, err := w.usage()
	if err != nil {
		return nil, err
	}
	f.Changes = len(alone)
	f.Told, f.ToldPoll = latenciesOf(alone)
	f.BusyApp, f.BusyRedis = after.since(before)
	f.Busy, err = w.memoryOfApp()
	return alone, err
}

func notTheFirst(workspace int) bool { return workspace > 0 }

// spread changes orders of some workspaces for a period, at random, and returns how long those took.
// Meanwhile does something beside it.
func (w *crowdWorld) spread(of func(workspace int) bool, meanwhile func() error) ([]crowd.Latency, error) {
	_ = w.crowd.Times() // of before
	ends := time.Now().Add(crowdPeriod)
	draws := rand.New(rand.NewPCG(11, 11)) //nolint:gosec // the same each time
	beats := time.NewTicker(max(min(crowdPeriod/time.Duration(w.crowd.Len()), time.Second), time.Second/crowdRate))
	defer beats.Stop()
	quiet := 0
	for time.Now().Before(ends) {
		select {
		case <-w.ctx.Done():
			return nil, w.ctx.Err()
		case <-beats.C:
		}
		if n := draws.IntN(w.crowd.Len()); of(n) && w.crowd.Change(n, draws.IntN(w.crowd.Orders(n))) {
			quiet++
		}
		if meanwhile != nil {
			if err := meanwhile(); err != nil {
				return nil, err
			}
		}
	}
	var took []crowd.Latency
	err := w.until("all told", 2*crowdPeriod, 200*time.Millisecond, func() bool {
		took = append(took, slices.DeleteFunc(w.crowd.Times(), func(t crowd.Latency) bool { return !of(t.Workspace) })...)
		return len(took) >= quiet
	})
	return took, err
}

// latenciesOf are the times of changes to their messages, and of the polls that showed them.
func latenciesOf(all []crowd.Latency) (told, poll figures99) {
	var changed, seen []time.Duration
	for _, t := range all {
		changed, seen = append(changed, t.Told.Sub(t.Changed)), append(seen, t.Told.Sub(t.Seen))
	}
	return figures99Of(changed), figures99Of(seen)
}

// noiseKind is what one workspace does.
type noiseKind struct {
	what  string
	begin func(w *crowdWorld)
	beat  func(w *crowdWorld) error // while others are measured; nil: nothing
	end   func(w *crowdWorld)
}

// noises are what the first workspace does while the others are measured.
var noises = []noiseKind{
	{
		what: "with 1,000 orders that change all the time", begin: func(*crowdWorld) {},
		beat: func(w *crowdWorld) error {
			for n := range w.crowd.Orders(0) {
				w.crowd.Change(0, n) // those that were told
			}
			return nil
		},
		end: func(*crowdWorld) {},
	},
	{
		what:  "whose service hangs",
		begin: func(w *crowdWorld) { w.crowd.Service(0, crowd.Fault{Hang: true}) },
		end:   func(w *crowdWorld) { w.crowd.Service(0, crowd.Fault{}) },
	},
}

// noise measures the quiet ones beside it.
func (w *crowdWorld) noise(kind noiseKind, alone []crowd.Latency) (f noiseFigures, err error) {
	f.What = kind.what
	f.AloneTold, f.Alone = latenciesOf(alone)
	before, err := w.usage()
	if err != nil {
		return f, err
	}
	untold := w.crowd.ChangesTold(0)
	kind.begin(w)
	var meanwhile func() error
	if kind.beat != nil {
		meanwhile = func() error { return kind.beat(w) }
	}
	took, err := w.spread(notTheFirst, meanwhile)
	if lost := w.crowd.Lost(map[int]bool{0: true}); len(lost) > 0 && w.ctx.Err() == nil { // that is what is to be known
		f.Untold = len(lost)
		log.Printf("not told in time: %v", errors.Join(lost[:min(5, len(lost))]...))
		w.saveProfiles(fmt.Sprintf("untold-%d", w.crowd.Len()))
		err = nil
	}
	if err != nil {
		return f, err
	}
	f.BesideTold, f.Beside = latenciesOf(took)
	f.Its = w.crowd.ChangesTold(0) - untold
	kind.end(w)
	after, err := w.usage()
	if err != nil {
		return f, err
	}
	f.App, _ = after.since(before)
	return f, nil
}
