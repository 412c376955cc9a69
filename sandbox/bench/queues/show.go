package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"
)

// show writes the tables, in Markdown.
func show(w io.Writer, subjects []*subject, lanes []laneCost, p plan) {
	fmt.Fprintf(w, "%d jobs a round, %d workers (one where it says so), %d producers; medians of %d alternating rounds.\n\n", p.jobs, p.workers, producers, p.rounds)
	fmt.Fprintln(w, "| queue | put, jobs/s | put and worked on, jobs/s | the first of it, round by round | pick-up p50 | p99 | worst |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	first := subjects[0]
	for _, s := range subjects {
		picks := s.pickups()
		fmt.Fprintf(w, "| %s | %.0f | %.0f | %.2f × | %s | %s | %s |\n", s.name,
			s.median(func(f figures) float64 { return rate(p.jobs, f.putTime) }),
			s.median(func(f figures) float64 { return rate(p.jobs, f.putTime+f.workTime) }),
			ratio(first, s),
			at(picks, 0.50), at(picks, 0.99), at(picks, 1))
	}
	fmt.Fprintln(w, "\n| queue, each job | round trips | commands in Redis | CPU of the server | of the process | bytes kept when it is done |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|")
	for _, s := range subjects {
		each := func(of func(figures) int64) float64 {
			return s.median(func(f figures) float64 { return float64(of(f)) / float64(p.jobs) })
		}
		fmt.Fprintf(w, "| %s | %.1f | %s | %.0f µs | %.0f µs | %s |\n", s.name,
			each(func(f figures) int64 { return f.put.asked + f.worked.asked }),
			told(each(func(f figures) int64 { return f.put.commands + f.worked.commands }), "%.1f"),
			each(func(f figures) int64 { return (f.put.server + f.worked.server).Microseconds() }),
			each(func(f figures) int64 { return (f.put.process + f.worked.process).Microseconds() }),
			told(each(func(f figures) int64 { return f.kept }), "%.0f"))
	}
	fmt.Fprintln(w, "\n| memory of Redis | bytes each |")
	fmt.Fprintln(w, "|---|---|")
	for _, l := range lanes {
		fmt.Fprintf(w, "| %s | %.0f |\n", l.state, l.bytes)
	}
}

// ratio is the median over the rounds of s's rate over that of another, round by round.
func ratio(s, of *subject) float64 {
	var all []float64
	for i, f := range s.rounds {
		g := of.rounds[i]
		all = append(all, (g.putTime+g.workTime).Seconds()/(f.putTime+f.workTime).Seconds())
	}
	return middle(all)
}

func rate(jobs int, took time.Duration) float64 { return float64(jobs) / took.Seconds() }

func (s *subject) median(of func(figures) float64) float64 {
	var all []float64
	for _, f := range s.rounds {
		all = append(all, of(f))
	}
	return middle(all)
}

func middle[T cmp.Ordered](all []T) T {
	slices.Sort(all)
	return all[len(all)/2]
}

// pickups are those of all rounds, sorted.
func (s *subject) pickups() []time.Duration {
	var all []time.Duration
	for _, f := range s.rounds {
		all = append(all, f.pickups...)
	}
	slices.Sort(all)
	return all
}

func at(sorted []time.Duration, share float64) string {
	d := sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

// told is a figure, or a dash where the server does not tell.
func told(n float64, format string) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf(format, n)
}
