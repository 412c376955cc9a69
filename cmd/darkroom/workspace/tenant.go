package workspace

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
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
	"darkroom/store/retention"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// Tenant has the outside connections of a Slack workspace: its clients of Slack and of the order service, and its part of
// Redis. Its [App] and its poller use it.
type Tenant struct {
	Shared     *Shared
	ID         string // "": the environment's workspace
	Log        *slog.Logger
	Queue      *queue.Queue
	Store      *store.Store
	Slack      *client.Client
	People     job.Service // the order service, for people's requests
	Background Background  // the order service, for the poller
	Turns      poll.Slots
	Credits    *poll.CreditWatch   // nil in an app for many workspaces
	Notices    *poll.CreditNotices // nil in an app for one workspace
	// Responsible notifies the responsible person of a workspace; nil: the operations channel is notified.
	Responsible func(ctx context.Context, sentence string) (said bool, err error)

	woken atomic.Int64 // when Answered last woke the poll; unix ns
}

// Background has the calls of a poller to the order service.
type Background interface {
	List(ctx context.Context, f order.Filter) (order.Page, error)
	Fetch(ctx context.Context, id string) (order.Order, error)
	Balance(ctx context.Context) (decimal.Decimal, error)
}

// Only makes the environment's workspace. In an app for many workspaces it has no service and no token of Slack; its part
// of Redis has the keys of the whole app.
func Only(s *Shared, o queue.Options, slackWasAway func(ctx context.Context, from, to time.Time)) (t *Tenant, err error) {
	t = &Tenant{Shared: s, Log: s.Log}
	t.Queue = queue.New(s.Redis, o)
	t.Store = store.New(s.Redis, t.Queue).ShowVerdictsEvery(s.Waits.Verdicts)
	t.Slack = client.New(client.Config{
		Token: string(s.Config.SlackBotToken), APIURL: s.Config.SlackAPIURL, Log: s.Log,
		Limiter: ratelimit.NewChannels(s.Redis, t.Queue.Keyspace()), Rate: s.Waits.Pace, Reads: ratelimit.NewReads(s.Redis, t.Queue.Keyspace(), t.Store.Documents), OnOutage: slackWasAway, OutageGrave: s.Waits.Grave, Wrap: s.Failpoints.Slack(),
		Observe: s.Metrics.Slack.Observe, Tracer: s.Tracer,
	})
	if s.Config.Many() {
		t.People, t.Background = accounts.Unconnected{}, accounts.Unconnected{}
		return t, nil
	}
	pace := ratelimit.NewRate(s.Redis, t.Queue.Keyspace(), s.Config.UpstreamRate)
	people, err := s.service(pace.People(), metrics.People, t.Answered)
	if err != nil {
		return nil, err
	}
	turns := pace.Background()
	t.Turns = turns
	if t.Background, err = s.service(turns, metrics.Poller, nil); err != nil {
		return nil, err
	}
	t.Credits = poll.NewCreditWatch(poll.CreditWatchConfig{
		Below: s.Config.LowCreditsLimit(), Balance: t.Background.Balance, Seen: s.Metrics.Credits.Set, Store: t.Store.Documents, Log: t.Log,
	})
	t.People = watched{people, t.Credits}
	return t, nil
}

// Retention returns how long finished orders are kept.
func (s *Shared) Retention() retention.Policy {
	return retention.Policy{Full: retention.FullFor, For: s.Config.Retention}
}

// Polling returns the configuration of the workspace's poller.
func (t *Tenant) Polling() poll.Config {
	s := t.Shared
	c := poll.Config{
		Service: t.Background, Store: poll.StoreOf(t.Store), Workspace: t.ID, Schedule: s.Config.PollSchedule, Only: t.ID == "",
		Ops: t.TellOps, Log: t.Log, Retention: s.Retention(), Slots: t.Turns, Credits: t.Credits,
		Reminders: poll.NewReminders(t.Store.Settings, t.Store.Orders, t.Store.Reminders, s.Waits.Reminder), SelfConnected: t.ID != "",
		Observe: s.Polled, Tracer: s.Tracer,
	}
	if c.Only {
		c.RetireFirst = cmp.Or(s.Waits.Retire, retireFirst)
	}
	return c
}

// retireFirst is how long after the start finished orders are first retired: people wait for the first poll.
const retireFirst = 10 * time.Second

// access decides who may see and do what. It has no state, so that each package may have its own.
func (t *Tenant) access() *access.Control {
	return access.New(access.Config{Slack: t.Slack.People, Orders: t.Store.Orders, Settings: t.Store.Settings, Operators: t.Shared.Config.Operators, Offers: t.Store.Documents.Offer, Log: t.Log})
}

// signer makes the addresses of the workspace's files; nil without PUBLIC_URL.
func (t *Tenant) signer() *files.Signer {
	if t.Shared.Signer == nil {
		return nil
	}
	return t.Shared.Signer.In(t.ID)
}

// signed returns a function that makes addresses with a signer; nil without one.
func signed[T any](by *files.Signer, address func(by *files.Signer, of T, now time.Time) string) func(of T) string {
	if by == nil {
		return nil
	}
	return func(of T) string { return address(by, of, time.Now()) }
}

// zipAddress returns the address of the ZIP with the photos of an order's present round.
func zipAddress(by *files.Signer, o store.Tracked, now time.Time) string {
	return by.ZIP(files.Bundle{Order: o.ID, Round: o.Order.Rev(), Generation: o.Owner.Generation}, cards.ZIPName(o), now)
}

// TellOps posts a sentence to the operations channel, if one is configured, and reports whether it was
// posted. It fails only if a retry makes sense. In an app for many workspaces it notifies the responsible person.
func (t *Tenant) TellOps(ctx context.Context, sentence string) (bool, error) {
	t.Log.WarnContext(ctx, "operations", "says", sentence)
	if t.Responsible != nil {
		return t.Responsible(ctx, sentence)
	}
	if t.Shared.Config.OpsChannel == "" {
		return false, nil
	}
	_, err := t.Slack.Messages.Post(ctx, client.Post{Channel: t.Shared.Config.OpsChannel, Text: sentence})
	if errors.Is(err, client.ErrTryLater) {
		return false, err
	}
	if err != nil {
		t.Log.ErrorContext(ctx, "operations channel not told", "err", err)
	}
	return err == nil, nil
}

// wakeEvery is the shortest time between two calls of [Tenant.Answered] that wake the poll.
const wakeEvery = 5 * time.Second

// Answered wakes the poll after the service has answered a person: the poll may be waiting for the end of an outage.
func (t *Tenant) Answered(c upstream.Call) {
	now := time.Now().UnixNano()
	if c.Outcome != upstream.OutcomeOK || now-t.woken.Load() < int64(wakeEvery) {
		return
	}
	t.woken.Store(now)
	select {
	case t.Shared.Wakes <- t.Store:
	default: // the next answer wakes it
		t.woken.Store(0)
	}
}

// PollQueue makes the poll queue beside the queue with these options. A poll never becomes a dead letter: without it
// the workspace would get no more news of its orders.
func PollQueue(rdb redis.UniversalClient, o queue.Options) *queue.Queue {
	o.MaxAttempts = math.MaxInt
	return queue.New(rdb, o.Beside(tenants.PollQueue))
}
