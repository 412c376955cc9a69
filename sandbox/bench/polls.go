package main

import (
	"fmt"
	"log"
	"strings"
	"time"

	"darkroom/sandbox/crowd"
)

// One workspace in twenty has a service that hangs or is slow, in turns. What is told of the others is measured.
const (
	faultyEvery = 20
	slowService = 4 * time.Second
	killedAfter = 10 * time.Second // of the changes
)

// pollsFigures are those of one quiet period, and of one in which orders change.
type pollsFigures struct {
	workspaces, orders, replicas int

	requests, trips, commands float64 // a second: to the services; sent to Redis; carried out there, those inside scripts included
	polls                     float64 // a second, as the services see them
	app, redis                float64 // of a core
	memory, heap              int64
	changes, untold           int
	told                      figures99
}

// polls measures polling over sizes and orders, and what a kill -9 of one of three replicas costs. It prints a table.
func (b *bench) polls() error {
	var all []pollsFigures
	for size := range strings.SplitSeq(b.o.workspaces, ",") {
		for each := range strings.SplitSeq(b.o.orders, ",") {
			var n, orders int
			if _, err := fmt.Sscan(size+" "+each, &n, &orders); err != nil {
				return err
			}
			f, err := b.pollsOf(n, orders, 1)
			if err != nil {
				return fmt.Errorf("%d workspaces of %d orders: %w", n, orders, err)
			}
			all = append(all, f)
		}
	}
	f, err := b.pollsOf(300, 10, 3)
	if err != nil {
		return fmt.Errorf("three replicas: %w", err)
	}
	fmt.Print(pollsTable(append(all, f)))
	return nil
}

// pollsOf measures one size.
func (b *bench) pollsOf(n, orders, replicas int) (f pollsFigures, err error) {
	f = pollsFigures{workspaces: n, orders: orders, replicas: replicas}
	w, err := b.startCrowd(crowd.Options{Workspaces: n, Orders: orders, Channels: 100})
	if err != nil {
		return f, err
	}
	defer w.close()
	faulty := map[int]bool{}
	for i := faultyEvery - 1; i < n; i += faultyEvery {
		faulty[i] = true
		w.crowd.Service(i, crowd.Fault{Hang: i/faultyEvery%2 == 0, Slow: slowService})
	}
	var victim *process
	for range replicas - 1 {
		first := w.app
		if err := w.startApp(); err != nil {
			return f, err
		}
		victim, w.app = w.app, first
	}
	if err := w.pause(2 * crowdPeriod); err != nil { // what a start costs is over
		return f, err
	}
	if err := w.quietPolls(&f); err != nil {
		return f, err
	}
	if orders == 0 {
		log.Printf("%+v", f)
		return f, nil
	}
	if victim != nil {
		time.AfterFunc(killedAfter, victim.kill)
	}
	took, err := w.spread(func(i int) bool { return !faulty[i] })
	if lost := w.crowd.Lost(faulty); len(lost) > 0 && w.ctx.Err() == nil {
		f.untold, err = len(lost), nil
	}
	f.changes = len(took)
	f.told, _ = latenciesOf(took)
	log.Printf("%+v", f)
	return f, err
}

// quietPolls measures a period in which nothing changes.
func (w *crowdWorld) quietPolls(f *pollsFigures) error {
	before, err := w.usage()
	if err != nil {
		return err
	}
	polled := w.crowd.Polls()
	if err := w.pause(crowdPeriod); err != nil {
		return err
	}
	after, err := w.usage()
	if err != nil {
		return err
	}
	span := after.at.Sub(before.at).Seconds()
	app, nodes := after.since(before)
	f.app, f.requests, f.polls = app, float64(after.requests-before.requests)/span, float64(w.crowd.Polls()-polled)/span
	for i, node := range nodes {
		f.redis += node
		f.commands += float64(after.commands[i]-before.commands[i]) / span
	}
	f.trips = (after.trips - before.trips) / span
	m, err := w.memoryOfApp()
	f.memory, f.heap = m.RSS, m.Heap
	return err
}

func pollsTable(all []pollsFigures) string {
	rows := [][]string{{"workspaces × orders, replicas", "requests/s", "polls/s", "to Redis/s", "in Redis/s", "app, of a core", "Redis", "resident", "heap", "changes", "untold", "change to message p50 · p99 · most"}}
	for _, f := range all {
		rows = append(rows, []string{
			fmt.Sprintf("%s × %d, %d", thousands(f.workspaces), f.orders, f.replicas), fmt.Sprintf("%.1f", f.requests), fmt.Sprintf("%.1f", f.polls),
			whole(f.trips), whole(f.commands), percent(f.app), percent(f.redis), inMB(f.memory), inMB(f.heap), fmt.Sprint(f.changes), fmt.Sprint(f.untold),
			fmt.Sprintf("%.1f · %.1f · %.1f s", f.told.P50/1000, f.told.P99/1000, f.told.Most/1000),
		})
	}
	return table(rows...)
}
