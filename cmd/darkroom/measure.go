package main

import (
	"cmp"
	"context"
	"time"

	"darkroom/cmd/darkroom/metrics"
	"darkroom/notifier/poll"
	"darkroom/store"
)

// measure adds the metrics that need the wired parts.
func (a *app) measure() error {
	m := a.metrics
	m.Jobs.Know(a.own.Jobs.Kinds().Names()...)
	m.Jobs.Know(a.own.Announcements.Names()...)
	var orders *store.Store // nil for many workspaces: counting would visit each
	if a.many == nil {
		orders = a.own.Store
	}
	m.Shared(a.queues(), orders)
	replica := metrics.Replica{Ready: a.ready.isReady}
	if a.socket != nil {
		replica.Sockets = a.socket.Connections
	}
	m.Replica(replica)
	m.Credits.WarnBelow(a.cfg.LowCreditsLimit())
	schedule, err := poll.ParseSchedule(a.cfg.PollSchedule)
	if err != nil {
		return err
	}
	m.Polls.Expect(schedule, func(ctx context.Context) (time.Time, error) {
		last, err := a.own.Store.Inbounds.LastInbound(ctx)
		return last[store.InboundPoll], err
	})
	return nil
}

// build returns the version and the commit of this binary.
func build() metrics.Build {
	return metrics.Build{Version: release, Commit: cmp.Or(builtFrom().commit, "unknown")}
}
