//go:build shortwaits

package main

import (
	"time"

	"darkroom/cmd/darkroom/workspace"
	"darkroom/jobs"
)

// newWaits returns waits that a story can sit out. Only the stories build with the tag shortwaits.
func newWaits() workspace.Waits {
	return workspace.Waits{
		Jobs: jobs.Waits{
			Settle: time.Second, Late: time.Second, Scan: 500 * time.Millisecond,
			Searches: []time.Duration{0, 500 * time.Millisecond, 2 * time.Second}, Outcome: 2 * time.Second,
		},
		Service: 4 * time.Second, Lease: 2 * time.Second, Outcome: 2 * time.Second, Grave: 2 * time.Second,
		Reminder: time.Second, Retire: time.Second, Verdicts: time.Second,
		Pace: 2, // posts a second; the stories' Slack takes ten more at once
	}
}
