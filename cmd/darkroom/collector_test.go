package main

import (
	"testing"

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
