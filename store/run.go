package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
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
	id, err := scripts.Run(ctx, s.rdb, "run", script.Keys{"run": s.key("run")}, nil).Text()
	if err != nil {
		return Run{}, fmt.Errorf("run of Redis: %w", err)
	}
	_, since, _ := strings.Cut(id, "@")
	ms, err := strconv.ParseInt(since, 10, 64)
	return Run{ID: id, Since: time.UnixMilli(ms)}, about("run of Redis", id, err)
}
