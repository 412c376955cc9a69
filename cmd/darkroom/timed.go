package main

import (
	"context"
	"fmt"
	"time"

	"darkroom/cmd/darkroom/tenants"
	"darkroom/store/queue"
	storetenants "darkroom/store/tenants"
)

// aliveJob is the kind of the job that notes that the app runs. It is in the poll queues: one replica does it, and another
// takes over when that dies.
const aliveJob = "alive"

// startAgain is the time between two tries to start the polls.
const startAgain = time.Second

// runPolls starts the polls, and wakes polls when a service has answered a person, until ctx ends.
func (a *app) runPolls(ctx context.Context) error {
	for err := a.startPolls(ctx); err != nil && ctx.Err() == nil; err = a.startPolls(ctx) {
		a.log.InfoContext(ctx, "polls not started yet", "err", err)
		select {
		case <-ctx.Done():
		case <-time.After(startAgain):
		}
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case s := <-a.shared.Wakes:
			if err := s.Connection.WakePoll(ctx, false); err != nil && ctx.Err() == nil {
				a.log.DebugContext(ctx, "poll not woken", "err", err)
			}
		}
	}
}

// startPolls puts the timed jobs and the polls. It wakes polls that wait by an older POLL_SCHEDULE.
func (a *app) startPolls(ctx context.Context) error {
	alive := a.polls
	if a.many != nil {
		alive = a.many.PollQueues[0].In(tenants.AppTenant)
	}
	if _, err := alive.Put(ctx, tenants.TimedJob(aliveJob)); err != nil {
		return fmt.Errorf("jobs with a time: %w", err)
	}
	if a.many != nil {
		return a.many.StartTimed(ctx)
	}
	if err := a.own.Store.Connection.WakePoll(ctx, true); err != nil {
		return fmt.Errorf("poll: %w", err)
	}
	return nil
}

// pollQueues returns the poll queues that this process works on.
func (a *app) pollQueues() []*queue.Queue {
	if a.many == nil {
		return []*queue.Queue{a.polls}
	}
	return a.many.PollQueues[:]
}

// work does a job of any queue.
func (a *app) work(ctx context.Context, d *queue.Delivery) error {
	switch {
	case d.Kind == aliveJob:
		return a.inbound.workAlive(ctx, d)
	case d.Kind == storetenants.PollKind:
		ctx = a.failpoints.During(ctx, "poll")
		if a.many == nil {
			return a.poller.Work(ctx, d)
		}
	case a.many == nil:
		return a.own.Work(ctx, d)
	}
	if known, err := a.many.WorkTimed(ctx, d); known {
		return err
	}
	return a.many.Work(ctx, d)
}

// died notifies the person whose job cannot succeed.
func (a *app) died(ctx context.Context, letter queue.DeadLetter) error {
	if a.many == nil {
		return a.own.Died(ctx, letter)
	}
	return a.many.Died(ctx, letter)
}
