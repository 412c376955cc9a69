package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// The heap of an idle app is a few megabytes, and Go collects it after each few that are allocated: a hundred times a
// second when hundreds of forms are submitted. While there are more than busyCycles collections a second, the heap may
// grow to five times its live bytes before the next collection, else to twice. This trades memory for speed only while the
// app is busy. A busy app with more than smallHeap live bytes, as while services send large answers, saves memory.
const (
	busyCycles    = 5
	busyPercent   = 400
	idlePercent   = 100
	savingPercent = 50
	smallHeap     = 16 << 20
)

// gcPace sets the pace of Go's collector. It acts after a collection, and each second while the pace is not the idle one.
type gcPace struct {
	mu      sync.Mutex
	ctx     context.Context
	percent int
	before  uint64    // collections until the second began
	began   time.Time // when the second began
	second  *time.Timer
}

// collectSeldom adapts the collector's pace to the app's load until ctx ends. It does nothing if GOGC is set.
func collectSeldom(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	c := &gcPace{ctx: ctx, percent: idlePercent, began: time.Now()}
	c.before, _ = collections()
	c.second = time.AfterFunc(time.Hour, c.judge)
	c.second.Stop()
	c.watch()
}

// watch makes the next collection call collected: it finds the object unreachable.
func (c *gcPace) watch() {
	runtime.AddCleanup(&struct{ *gcPace }{}, (*gcPace).collected, c)
}

// collected is called after each collection.
func (c *gcPace) collected() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		return
	}
	c.watch()
	now, live := collections()
	switch {
	case c.percent == busyPercent && live > smallHeap: // large answers come at once
		c.set(savingPercent)
	case c.percent != idlePercent: // judged when the second is over
	case now-c.before > busyCycles && time.Since(c.began) <= time.Second:
		c.decide(now, live)
	case time.Since(c.began) > time.Second:
		c.before, c.began = now-1, time.Now()
	}
}

// judge ends a second.
func (c *gcPace) judge() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() == nil {
		c.decide(collections())
	}
}

// decide sets the pace by the collections of the second, and begins another one.
func (c *gcPace) decide(now, live uint64) {
	if next := percentFor(now-c.before, c.percent, live); next != c.percent {
		c.set(next)
	}
	c.before, c.began = now, time.Now()
	if c.percent != idlePercent {
		c.second.Reset(time.Second)
	}
}

func (c *gcPace) set(percent int) {
	c.percent = percent
	debug.SetGCPercent(percent)
	if percent == idlePercent {
		debug.FreeOSMemory()
	}
}

// collections returns the collections since the program began, and the live bytes after the last one.
func collections() (cycles, live uint64) {
	sample := []metrics.Sample{{Name: "/gc/cycles/automatic:gc-cycles"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64(), sample[1].Value.Uint64()
}

// percentFor returns the pace after a second with so many collections at the given pace. A larger heap needs
// fewer collections for the same work.
func percentFor(cycles uint64, percent int, live uint64) int {
	switch busy := cycles > busyCycles || percent == busyPercent && cycles > 0; {
	case !busy:
		return idlePercent
	case live > smallHeap:
		return savingPercent
	}
	return busyPercent
}
