package main

import (
	"context"
	"encoding/json"
	"strconv"

	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

// Jobs with a time that no person asked for. They are in the queues of the polls: any replica does them, one at a time
// each, and another one takes over when it dies.
const (
	aliveJob    = "alive"    // notes that the app runs
	removalsJob = "removals" // looks after the workspaces of a shard, once a day
	removalJob  = "removal"  // looks at one that may have removed the app
	renewalJob  = "renewal"  // finishes the renewal of a token
)

// appTenant has the jobs that concern no workspace.
const appTenant = "app"

func timedJob(kind string) queue.Job { return queue.Job{ID: kind, Lane: kind, Kind: kind} }

// shardJob is a job about a shard.
func shardJob(kind string, shard int) queue.Job {
	job := timedJob(kind)
	job.Body = json.RawMessage(strconv.Itoa(shard))
	return job
}

// wakeTimed has a job about a workspace or an organisation done soon, and once more if it is just being done.
func (m *many) wakeTimed(ctx context.Context, id, kind string) error {
	return m.pollQueues[keyspace.ShardOf(id)].In(id).Wake(ctx, timedJob(kind), false)
}

// workTimed is one delivery of a job with a time; known is false for other jobs.
func (a *app) workTimed(ctx context.Context, d *queue.Delivery) (known bool, err error) {
	switch {
	case d.Kind == tenants.PollKind:
		return true, a.workPoll(ctx, d)
	case d.Kind == aliveJob:
		return true, a.inbound.workAlive(ctx, d)
	case a.many == nil:
		return false, nil
	case d.Kind == removalsJob:
		return true, a.many.remover.workShard(ctx, d)
	case d.Kind == removalJob:
		return true, a.many.remover.work(ctx, d)
	case d.Kind == renewalJob:
		return true, a.many.workRenewal(ctx, d)
	}
	return false, nil
}

// startTimed puts the jobs with a time that concern no workspace.
func (a *app) startTimed(ctx context.Context) error {
	if a.many == nil {
		_, err := a.polls.Put(ctx, timedJob(aliveJob))
		return err
	}
	for shard, q := range a.many.pollQueues {
		if _, err := q.In(appTenant).Put(ctx, shardJob(removalsJob, shard)); err != nil {
			return err
		}
	}
	_, err := a.many.pollQueues[0].In(appTenant).Put(ctx, timedJob(aliveJob))
	return err
}

// ended returns why ctx ended, else the other error: a delivery that was cut off is handed to the next worker at once.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
