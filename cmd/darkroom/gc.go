package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// The heap of an idle app is a few megabytes, and Go collects it anew with each few that are asked for: a
// hundred times a second when hundreds of forms are submitted. While it does so more often than busyCycles
// a second the heap may grow to five times what lives in it before the next collection, and when that
// is over, to twice again, as at first: memory for speed, only while there is something to do. A busy app in which more
// than smallHeap lives, as while services send large answers, saves memory.
const (
	busyCycles    = 5
	busyPercent   = 400
	idlePercent   = 100
	savingPercent = 50
	smallHeap     = 16 << 20
)

// collectSeldom keeps the collector's pace to how busy the app is, until ctx ends. An operator's own
// GOGC stands.
func collectSeldom(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	second, soon := time.NewTicker(time.Second), time.NewTicker(time.Second/10)
	defer second.Stop()
	defer soon.Stop()
	percent := idlePercent
	before, _ := collections()
	for {
		select {
		case <-ctx.Done():
			return
		case <-soon.C: // large answers come at once
			if _, live := collections(); percent == busyPercent && live > smallHeap {
				percent = savingPercent
				debug.SetGCPercent(percent)
			}
			continue
		case <-second.C:
		}
		now, live := collections()
		if next := percentFor(now-before, percent, live); next != percent {
			percent = next
			debug.SetGCPercent(percent)
			if percent == idlePercent {
				debug.FreeOSMemory()
			}
		}
		before = now
	}
}

// collections is how many there were since the program began, and how many bytes lived after the last.
func collections() (cycles, live uint64) {
	sample := []metrics.Sample{{Name: "/gc/cycles/automatic:gc-cycles"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64(), sample[1].Value.Uint64()
}

// percentFor is the pace after a second with so many collections at that pace. With the larger heap
// there are fewer for the same work.
func percentFor(cycles uint64, percent int, live uint64) int {
	switch busy := cycles > busyCycles || percent == busyPercent && cycles > 0; {
	case !busy:
		return idlePercent
	case live > smallHeap:
		return savingPercent
	}
	return busyPercent
}
