package main

import (
	"slices"
	"syscall"
	"time"
)

// span is the median of some figures, with the smallest and the largest.
type span struct {
	Median float64 `json:"median"`
	Least  float64 `json:"least"`
	Most   float64 `json:"most"`
}

// spanOf is that of some values; of none it is zero.
func spanOf(values []float64) span {
	if len(values) == 0 {
		return span{}
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := sorted[len(sorted)/2]
	if len(sorted)%2 == 0 {
		middle = (sorted[len(sorted)/2-1] + middle) / 2
	}
	return span{middle, sorted[0], sorted[len(sorted)-1]}
}

// millis are durations as milliseconds.
func millis(all []time.Duration) []float64 {
	out := make([]float64, len(all))
	for i, d := range all {
		out[i] = ms(d)
	}
	return out
}

// selfCPU is what this process has used so far.
func selfCPU() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
