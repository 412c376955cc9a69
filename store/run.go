package store

import (
	"context"
	"fmt"
	"time"

	"darkroom/store/script"
)

// Run is the time since Redis last started, or another server took over: what came before
// it may be forgotten in part.
type Run struct {
	ID    string    // another for each; never ""
	Since time.Time // when somebody first saw it, by the clock of Redis: it began no later
}

// Run returns the present one.
func (s *Store) Run(ctx context.Context) (Run, error) {
	values, err := scripts.Run(ctx, s.rdb, "run", script.Keys{"run": s.key("run")}, nil).Slice()
	if err != nil {
		return Run{}, fmt.Errorf("run of Redis: %w", err)
	}
	if len(values) != 2 {
		return Run{}, fmt.Errorf("run of Redis: %d values", len(values))
	}
	id, _ := values[0].(string)
	since, _ := values[1].(int64)
	return Run{ID: fmt.Sprintf("%s@%d", id, since), Since: time.UnixMilli(since)}, nil
}
