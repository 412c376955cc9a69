package main

import "fmt"

// slack is by how much a figure may differ though it is small: few iterations share what the first one
// allocates for all, such as a connection's buffers.
var slack = map[string]float64{allocs: 1, space: 1024}

// compare says what is wrong, and what became so much less that it should be held there.
func compare(accepted, found benchmarks) (wrong, lower []string) {
	for _, n := range found.sorted() {
		was, known := accepted[n]
		if !known {
			wrong = append(wrong, fmt.Sprintf("%s is new: nothing guards it yet", n))
			continue
		}
		for _, unit := range []string{allocs, space} {
			if len(was[unit]) == 0 {
				continue // it varied when it was accepted
			}
			if len(found[n][unit]) == 0 {
				wrong = append(wrong, fmt.Sprintf("%s says nothing of %s any more", n, unit))
				continue
			}
			before, now := was[unit][0], found[n][unit][0]
			line := fmt.Sprintf("%s: %.0f %s, was %.0f", n, now, unit, before)
			switch {
			case grewByHalf(unit, before, now):
				wrong = append(wrong, line)
			case grewByHalf(unit, now, before):
				lower = append(lower, line)
			}
		}
	}
	for _, n := range accepted.sorted() {
		if found[n] == nil {
			wrong = append(wrong, fmt.Sprintf("%s is gone, or was skipped", n))
		}
	}
	return wrong, lower
}

// grewByHalf allows the same slack in what is small as whoever accepts.
func grewByHalf(unit string, before, now float64) bool {
	return now >= before*1.5 && now-before > slack[unit]
}
