package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/access"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cmd/darkroom/metrics"
	"darkroom/files"
	"darkroom/jobs/accounts"
	"darkroom/jobs/job"
	"darkroom/notifier/poll"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/ratelimit"
)

// tenant is a Slack workspace with what is its own of everything outside: its Slack, its order service, its part of
// Redis. Its rooms, and its poller, are made of it.
type tenant struct {
	app        *app
	id         string // "" of the one that the environment configures
	log        *slog.Logger
	queue      *queue.Queue
	store      *store.Store
	slack      *client.Client
	people     job.Service // the order service, for what people ask
	background pollService // and for the poller
	turns      poll.Turns
	credits    *poll.CreditWatch   // nil: nobody looks whether they are low
	notices    *poll.CreditNotices // of one of many; nil: credits has a poller look
	woken      atomic.Int64        // when its poll was last woken, see answered; unix ns
}

// pollService is what a poller asks of the order service.
type pollService interface {
	List(ctx context.Context, f order.Filter) (order.Page, error)
	Fetch(ctx context.Context, id string) (order.Order, error)
	Balance(ctx context.Context) (decimal.Decimal, error)
}

// onlyTenant is the workspace that the environment configures. In an app for many there is none: then it has neither
// Slack nor a service, and what is kept once for all is in its part of Redis.
func (a *app) onlyTenant() (t *tenant, err error) {
	t = &tenant{app: a, log: a.log}
	t.queue = queue.New(a.rdb, a.queueOptions())
	t.store = store.New(a.rdb, t.queue).ShowVerdictsEvery(a.waits.verdicts)
	t.slack = client.New(client.Config{
		Token: string(a.cfg.SlackBotToken), APIURL: a.cfg.SlackAPIURL, Log: a.log,
		Pacer: ratelimit.NewChannels(a.rdb, t.queue.Keyspace()), Pace: a.waits.pace, Reads: ratelimit.NewReads(a.rdb, t.queue.Keyspace(), t.store), OnOutage: a.slackWasAway, OutageGrave: a.waits.grave, Wrap: a.failpoints.Slack(),
		Observe: a.metrics.Slack.Observe, Tracer: a.traces.tracer(),
	})
	if a.cfg.Many() {
		t.people, t.background = accounts.Unconnected{}, accounts.Unconnected{}
		return t, nil
	}
	pace := ratelimit.NewRate(a.rdb, t.queue.Keyspace(), a.cfg.UpstreamRate)
	people, err := a.newService(pace.People(), metrics.People, t.answered)
	if err != nil {
		return nil, err
	}
	turns := pace.Background()
	t.turns = turns
	if t.background, err = a.newService(turns, metrics.Poller, nil); err != nil {
		return nil, err
	}
	t.credits = poll.NewCreditWatch(poll.CreditWatchConfig{
		Below: a.cfg.LowCreditsLimit(), Balance: t.background.Balance, Seen: a.metrics.Credits.Set, Store: t.store, Log: t.log,
	})
	t.people = watched{people, t.credits}
	return t, nil
}

// retention is how long orders are kept that have ended.
func (a *app) retention() store.Retention {
	return store.Retention{Full: store.FullFor, For: a.cfg.Retention}
}

// polling is how the workspace's orders are polled.
func (t *tenant) polling() poll.Config {
	a := t.app
	c := poll.Config{
		Service: t.background, Store: t.store, Workspace: t.id, Schedule: a.cfg.PollSchedule, Only: t.id == "",
		Ops: t.tellOps, Log: t.log, Retention: a.retention(), Turns: t.turns, Credits: t.credits,
		Reminders: poll.NewReminders(t.store, a.waits.reminder), Here: t.id != "",
		Observe: a.polled, Tracer: a.traces.tracer(),
	}
	if c.Only {
		c.RetireFirst = cmp.Or(a.waits.retire, retireFirst)
	}
	return c
}

// retireFirst is how long after the start finished orders are looked after: people wait for the first poll.
const retireFirst = 10 * time.Second

// access judges who may see and do what; it keeps nothing, so that each room may have its own.
func (t *tenant) access() *access.Control {
	return access.New(access.Config{Slack: t.slack.People, Store: t.store, Operators: t.app.cfg.Operators, Offers: t.store.Offer, Log: t.log})
}

// signer makes the addresses of the workspace's files; nil: there is no PUBLIC_URL.
func (t *tenant) signer() *files.Signer {
	if t.app.signer == nil {
		return nil
	}
	return t.app.signer.In(t.id)
}

// zips are the addresses of ZIPs; nil while nobody could open one.
func (t *tenant) zips() cards.ZIPs {
	signer := t.signer()
	if signer == nil {
		return nil
	}
	return func(o store.Tracked) string {
		b := files.Bundle{Order: o.ID, Round: o.Order.Rev(), Generation: o.Owner.Generation}
		return signer.ZIP(b, cards.ZIPName(o), time.Now())
	}
}

// tellOps says something in the operations channel, when there is one, and tells whether it was
// said. It fails only when saying it later makes sense. In one of many workspaces it is somebody there who hears it.
func (t *tenant) tellOps(ctx context.Context, sentence string) (bool, error) {
	t.log.WarnContext(ctx, "operations", "says", sentence)
	if t.id != "" {
		return t.tellResponsible(ctx, sentence)
	}
	if t.app.cfg.OpsChannel == "" {
		return false, nil
	}
	_, err := t.slack.Post(ctx, client.Post{Channel: t.app.cfg.OpsChannel, Text: sentence})
	if errors.Is(err, client.ErrTryLater) {
		return false, err
	}
	if err != nil {
		t.log.ErrorContext(ctx, "operations channel not told", "err", err)
	}
	return err == nil, nil
}
