package main

import (
	"cmp"
	"context"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/cmd/darkroom/metrics"
	"darkroom/notifier/poll"
	"darkroom/store"
)

// measure shows in the metrics what is known only when everything is wired.
func (a *app) measure() error {
	m := a.metrics
	m.Jobs.Know(a.jobs.Kinds().Names()...)
	m.Jobs.Know(a.announcements.Names()...)
	var orders *store.Store // of many workspaces: nobody walks over all of them to count
	if a.many == nil {
		orders = a.store
	}
	m.Shared(a.queues(), orders)
	replica := metrics.Replica{Ready: a.isReady}
	if a.socket != nil {
		replica.Sockets = a.socket.Connections
	}
	m.Replica(replica)
	low, err := decimal.NewFromString(a.cfg.LowCredits)
	if err != nil {
		return err
	}
	m.Credits.WarnBelow(low)
	schedule, err := poll.ParseSchedule(a.cfg.PollSchedule)
	if err != nil {
		return err
	}
	m.Polls.Expect(schedule, func(ctx context.Context) (time.Time, error) {
		last, err := a.store.Inbounds.LastInbound(ctx)
		return last[store.InboundPoll], err
	})
	return nil
}

func (a *app) isReady(ctx context.Context) bool {
	says, _ := a.readiness(ctx)
	return says == ""
}

// build says what this binary was built from.
func build() metrics.Build {
	return metrics.Build{Version: release, Commit: cmp.Or(builtFrom().commit, "unknown")}
}
