//go:build shortwaits

package main

import (
	"time"

	"darkroom/jobs"
)

// newWaits returns waits that a story can sit out. Only the stories build with the tag shortwaits.
func newWaits() waits {
	return waits{
		jobs: jobs.Waits{
			Settle: time.Second, Late: time.Second, Scan: 500 * time.Millisecond,
			Looks: []time.Duration{0, 500 * time.Millisecond, 2 * time.Second}, Outcome: 2 * time.Second,
		},
		service: 4 * time.Second, lease: 2 * time.Second, outcome: 2 * time.Second, grave: 2 * time.Second,
		reminder: time.Second, retire: time.Second, verdicts: time.Second,
		pace: 2, // posts a second; the stories' Slack takes ten more at once
	}
}
