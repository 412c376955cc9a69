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

// Run is the time since Redis last started, or another server took over. Some earlier writes may
// be lost.
type Run struct {
	ID    string    // unique; never ""
	Since time.Time // when the app first saw the run, by the clock of Redis: it began no later
}

// Run returns the present run.
func (s *Server) Run(ctx context.Context) (Run, error) {
	id, err := s.db.Script(ctx, "run", script.Keys{"run": s.db.Key("run")}, nil).Text()
	if err != nil {
		return Run{}, fmt.Errorf("run of Redis: %w", err)
	}
	_, since, _ := strings.Cut(id, "@")
	ms, err := strconv.ParseInt(since, 10, 64)
	return Run{ID: id, Since: time.UnixMilli(ms)}, kv.About("run of Redis", id, err)
}
