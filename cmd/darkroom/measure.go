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
	m.Jobs.Know(a.own.Jobs.Kinds().Names()...)
	m.Jobs.Know(a.own.Announcements.Names()...)
	var orders *store.Store // of many workspaces: nobody walks over all of them to count
	if a.many == nil {
		orders = a.own.Store
	}
	m.Shared(a.queues(), orders)
	replica := metrics.Replica{Ready: a.ready.isReady}
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
		last, err := a.own.Store.Inbounds.LastInbound(ctx)
		return last[store.InboundPoll], err
	})
	return nil
}

// build says what this binary was built from.
func build() metrics.Build {
	return metrics.Build{Version: release, Commit: cmp.Or(builtFrom().commit, "unknown")}
}
