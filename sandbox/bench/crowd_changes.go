package main

import (
	"math/rand/v2"
	"slices"
	"time"

	"darkroom/sandbox/crowd"
)

// changes measures changes from the service to Slack, spread over all workspaces.
func (w *crowdWorld) changes(f *crowdFigures) error {
	before, err := w.usage()
	if err != nil {
		return err
	}
	took, err := w.spread(func(int) bool { return true })
	if err != nil {
		return err
	}
	after, err := w.usage()
	if err != nil {
		return err
	}
	f.Changes = len(took)
	f.Told, f.ToldPoll = latenciesOf(took)
	f.BusyApp, _ = after.since(before)
	f.Busy, err = w.memoryOfApp()
	return err
}

// spread changes orders of some workspaces for a period, at random, and returns how long those took
func (w *crowdWorld) spread(of func(workspace int) bool) ([]crowd.Latency, error) {
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
