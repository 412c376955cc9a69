package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLatenessIsThatOfWhatCameBetweenTwoReadings(t *testing.T) {
	lines := func(first, second, all string) []string {
		return []string{
			`darkroom_round_late_seconds_bucket{service="quick",le="0.1"} ` + first, `darkroom_round_late_seconds_bucket{service="slow",le="0.1"} 7`,
			`darkroom_round_late_seconds_bucket{service="quick",le="2.5"} ` + second, `darkroom_round_late_seconds_bucket{service="quick",le="+Inf"} ` + all,
		}
	}
	const begins = `darkroom_round_late_seconds_bucket{service="quick",le="`
	before, after := buckets(lines("5", "50", "50"), begins), buckets(lines("104", "150", "150"), begins)
	assert.Equal(t, late{P50: 100, P99: 100, Most: 2500}, lateOf(before, after))
	assert.Equal(t, late{}, lateOf(nil, nil))
}

func TestACrowdIsWeighedOnTopOfTheSmallest(t *testing.T) {
	c := &crowdResult{
		Sizes: []crowdFigures{{Workspaces: 10, Quiet: appMemory{Heap: 5 << 20}}, {Workspaces: 1010, Quiet: appMemory{Heap: 15 << 20}}},
		Idle:  []idleFigures{{Workspaces: 10, Memory: appMemory{Heap: 5 << 20}}, {Workspaces: 1010, Memory: appMemory{Heap: 6 << 20}}},
	}
	says := (&results{Crowd: c}).crowdTable()
	assert.Contains(t, says, "| … for each workspace on top of the smallest crowd |  | 10.2 kB |")
	assert.Contains(t, says, "1.0 kB of live heap.\n")
	assert.Equal(t, notMeasured, (&results{}).crowdTable())
}
