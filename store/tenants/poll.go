package tenants

import (
	"context"

	"darkroom/store/queue"
)

// PollQueue names the queue of the polls. PollKind is the kind of its jobs.
const (
	PollQueue = "poll"
	PollKind  = "poll"
)

// PollJob returns the poll of a workspace: one job that never ends. Changes that it should look at wake it.
func PollJob() queue.Job { return queue.Job{ID: "poll", Lane: "poll", Kind: PollKind} }

// WakePoll wakes the workspace's poll, see [queue.Queue.Wake].
func (s *Connections) WakePoll(ctx context.Context, force bool) error {
	return s.polls.Wake(ctx, PollJob(), force)
}
