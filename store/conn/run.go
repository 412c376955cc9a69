package conn

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"darkroom/store/kv"
	"darkroom/store/script"
)

// Run is the time since Redis last started, or another server took over: what came before
// it may be forgotten in part.
type Run struct {
	ID    string    // another for each; never ""
	Since time.Time // when somebody first saw it, by the clock of Redis: it began no later
}

// Run returns the present one.
func (s *Server) Run(ctx context.Context) (Run, error) {
	id, err := s.db.Script(ctx, "run", script.Keys{"run": s.db.Key("run")}, nil).Text()
	if err != nil {
		return Run{}, fmt.Errorf("run of Redis: %w", err)
	}
	_, since, _ := strings.Cut(id, "@")
	ms, err := strconv.ParseInt(since, 10, 64)
	return Run{ID: id, Since: time.UnixMilli(ms)}, kv.About("run of Redis", id, err)
}
