package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTheCollectorRunsSeldomOnlyWhileThereIsMuchToDo(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		cycles  uint64
		percent int
		want    int
	}{
		"idle":                                  {0, idlePercent, idlePercent},
		"a poll now and then":                   {busyCycles, idlePercent, idlePercent},
		"busy":                                  {busyCycles + 1, idlePercent, busyPercent},
		"as busy, with the larger heap":         {1, busyPercent, busyPercent},
		"busier":                                {100, busyPercent, busyPercent},
		"nothing more to do":                    {0, busyPercent, idlePercent},
		"one that was forced while it was idle": {1, idlePercent, idlePercent},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, percentFor(tt.cycles, tt.percent))
		})
	}
}

// What is decided is what Go keeps to, each second anew.
func TestTheCollectorKeepsToThePaceOfTheLastSecond(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(debug.SetGCPercent(idlePercent))
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		go collectSeldom(ctx)
		after := func(d time.Duration) uint64 {
			<-time.After(d)
			synctest.Wait()
			sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
			metrics.Read(sample)
			return sample[0].Value.Uint64()
		}
		synctest.Wait()
		var litter [][]byte
		for began := collections(); collections() <= began+busyCycles; {
			litter = [][]byte{make([]byte, 1<<20)}
		}
		assert.NotEmpty(t, litter)
		assert.EqualValues(t, busyPercent, after(time.Second))
		assert.EqualValues(t, idlePercent, after(10*time.Second))
	})
}
