package queue

import (
	"context"

	"darkroom/store/script"
)

// Stats counts what the queue holds.
type Stats struct {
	Jobs    int // in lanes, those being worked on included
	Lanes   int // with at least one job
	Delayed int // jobs put with a delay that is not over
	Dead    int // dead letters
}

// Stats counts in one atomic step; it looks at every lane that has a job.
func (q *Queue) Stats(ctx context.Context) (Stats, error) {
	n, err := q.script(ctx, "stats", script.Args{}).Int64Slice()
	if err != nil {
		return Stats{}, errorf("count", "jobs", err)
	}
	return Stats{Jobs: int(n[0]), Lanes: int(n[1]), Delayed: int(n[2]), Dead: int(n[3])}, nil
}
