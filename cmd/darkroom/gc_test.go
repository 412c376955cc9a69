package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTheCollectorRunsSeldomOnlyWhileThereIsMuchToDo(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		cycles  uint64
		percent int
		live    uint64
		want    int
	}{
		"idle":                                  {0, idlePercent, 0, idlePercent},
		"a poll now and then":                   {busyCycles, idlePercent, 0, idlePercent},
		"busy":                                  {busyCycles + 1, idlePercent, smallHeap, busyPercent},
		"as busy, with the larger heap":         {1, busyPercent, 0, busyPercent},
		"busier":                                {100, busyPercent, 0, busyPercent},
		"nothing more to do":                    {0, busyPercent, 0, idlePercent},
		"one that was forced while it was idle": {1, idlePercent, 0, idlePercent},
		"busy, with much that lives":            {100, busyPercent, smallHeap + 1, savingPercent},
		"little to do, with much that lives":    {1, savingPercent, smallHeap + 1, idlePercent},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, percentFor(tt.cycles, tt.percent, tt.live))
		})
	}
}

// TestTheCollectorKeepsToThePaceOfTheLastSecond: a busy second changes the pace, a quiet one changes it back.
func TestTheCollectorKeepsToThePaceOfTheLastSecond(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(debug.SetGCPercent(idlePercent))
	ctx, end := context.WithCancel(t.Context())
	defer end()
	collectSeldom(ctx)
	pace := func() int {
		sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		return int(sample[0].Value.Uint64()) //nolint:gosec // a percentage
	}
	var litter [][]byte
	for began := time.Now(); pace() == idlePercent && time.Since(began) < 10*time.Second; {
		litter = [][]byte{make([]byte, 1<<20)}
	}
	assert.NotEmpty(t, litter)
	_, live := collections() // of other tests as well
	assert.Equal(t, percentFor(busyCycles+1, idlePercent, live), pace())
	assert.Eventually(t, func() bool { return pace() == idlePercent }, 10*time.Second, 50*time.Millisecond)
}
