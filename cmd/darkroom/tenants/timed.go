package tenants

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

// Timed jobs run by themselves. They are in the queues of the polls: one replica at a time does each, and another takes
// over when it dies.
const (
	RemovalsJob = "removals" // looks after the workspaces of a shard, once a day
	RemovalJob  = "removal"  // looks at one that may have removed the app
	renewalJob  = "renewal"  // finishes the renewal of a token
)

// AppTenant is the tenant of jobs that concern no workspace.
const AppTenant = "app"

// TimedJob returns a timed job.
func TimedJob(kind string) queue.Job { return queue.Job{ID: kind, Lane: kind, Kind: kind} }

// ShardJob returns a timed job about a shard.
func ShardJob(kind string, shard int) queue.Job {
	job := TimedJob(kind)
	job.Body = json.RawMessage(strconv.Itoa(shard))
	return job
}

// Shards are the queues of all workspaces, one for each shard.
type Shards [keyspace.Shards]*queue.Queue

// of returns the queue of a workspace.
func (s *Shards) of(id string) *queue.Queue { return s[keyspace.ShardOf(id)].In(id) }

// wakeTimed wakes a timed job about a workspace or an organisation. If the job is running, it runs once more.
func (s *Shards) wakeTimed(ctx context.Context, id, kind string) error {
	return s.of(id).Wake(ctx, TimedJob(kind), false)
}

// WorkTimed does a timed job; known is false for other jobs.
func (m *Tenants) WorkTimed(ctx context.Context, d *queue.Delivery) (known bool, err error) {
	switch d.Kind {
	case tenants.PollKind:
		return true, m.Polls.Work(ctx, d)
	case RemovalsJob:
		return true, m.Remover.WorkShard(ctx, d)
	case RemovalJob:
		return true, m.Remover.work(ctx, d)
	case renewalJob:
		return true, m.Tokens.workRenewal(ctx, d)
	}
	return false, nil
}

// StartTimed puts the jobs with a time: the polls of all workspaces, and each shard's sweep for removed workspaces.
func (m *Tenants) StartTimed(ctx context.Context) error {
	for shard, q := range m.PollQueues {
		if err := m.startShard(ctx, shard, q); err != nil {
			return fmt.Errorf("polls of a shard: %w", err)
		}
		if _, err := q.In(AppTenant).Put(ctx, ShardJob(RemovalsJob, shard)); err != nil {
			return fmt.Errorf("removals of a shard: %w", err)
		}
	}
	return nil
}
