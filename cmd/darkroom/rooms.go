package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cmd/darkroom/metrics"
	"darkroom/commands"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/notifier"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/upstream"
)

// rooms are those of one Slack workspace. They have its Slack, order service and part of Redis, and know no
// other workspace.
type rooms struct {
	app           *app
	log           *slog.Logger
	queue         *queue.Queue
	store         *store.Store
	slack         *bot.Client
	people        *upstream.Client // the order service, for what people ask
	background    *upstream.Client // and for the poller
	deliveries    deliveries
	commands      *commands.Commands
	jobs          *jobs.Jobs
	announcements queue.Registry // the kinds of job that the announcer does
	poller        *notifier.Poller
	credits       *notifier.CreditWatch
	router        *bot.Router
}

// newRooms wires the rooms of the workspace that the environment configures.
func (a *app) newRooms() (w *rooms, err error) {
	w = &rooms{app: a, log: a.log}
	w.queue = queue.New(a.rdb, queue.Options{
		Logger: a.log, OnDead: w.died, OnOutage: w.redisAway, DrainTimeout: workDrain,
		Observe: a.metrics.Jobs.Observe, Tracer: a.traces.tracer(),
	})
	w.store = store.New(a.rdb, w.queue)
	w.slack = bot.NewClient(bot.ClientConfig{
		Token: string(a.cfg.SlackBotToken), APIURL: a.cfg.SlackAPIURL, Log: a.log,
		Pacer: w.store.ChannelLimiter(), Reads: w.store.ReadTurns(), OnOutage: w.slackWasAway, Wrap: a.failpoints.Slack(),
		Observe: a.metrics.Slack.Observe, Tracer: a.traces.tracer(),
	})
	turns, err := w.wireService()
	if err != nil {
		return nil, err
	}
	if err := w.wireCommands(watched{w.people, w.credits}); err != nil {
		return nil, err
	}
	return w, w.wireNotifier(turns)
}

// wireService makes the clients of the order service, which keep one pace.
func (w *rooms) wireService() (turns *store.Background, err error) {
	pace := w.store.Rate(w.app.cfg.UpstreamRate)
	if w.people, err = w.app.newService(pace.People(), metrics.People); err != nil {
		return nil, err
	}
	turns = pace.Background()
	if w.background, err = w.app.newService(turns, metrics.Poller); err != nil {
		return nil, err
	}
	w.credits = notifier.NewCreditWatch(notifier.CreditWatchConfig{
		Below: w.app.cfg.lowCredits(), Balance: w.background.Balance, Seen: w.app.metrics.Credits.Set, Store: w.store, Log: w.log,
	})
	w.deliveries = deliveries{w.store, w.people}
	return turns, nil
}

// access judges who may see and do what; it keeps nothing, so that each room may have its own.
func (w *rooms) access() *access.Control {
	return access.New(access.Config{Slack: w.slack, Store: w.store, Operators: w.app.cfg.Operators, Offers: w.store.Offer, Log: w.log})
}

func (w *rooms) wireCommands(service jobs.Service) (err error) {
	a, who := w.app, w.access()
	says, err := a.cfg.services()
	if err != nil {
		return err
	}
	w.jobs, err = jobs.New(jobs.Config{
		Slack: w.slack, Service: service, Store: w.store, Queue: w.queue,
		Access: who, Files: a.signer, Ops: w.tellOps, Log: w.log, Services: says,
		Others: &w.announcements, GivenUp: a.metrics.Jobs.GivenUp, Retention: a.cfg.Retention,
	})
	if err != nil {
		return err
	}
	w.commands, err = commands.New(commands.Config{
		Slack: w.slack, Service: service, Store: w.store,
		Jobs: w.jobs, Access: who, Files: a.signer, ZIP: a.zips(), Log: w.log, Services: says,
	})
	if err != nil {
		return err
	}
	w.router = bot.NewRouter(w.log)
	w.router.Unconfirmed(w.unconfirmed)
	w.router.Trace(a.traces.tracer())
	w.commands.Routes(w.router)
	return nil
}

// What a preview may weigh and take.
const (
	maxPreview  = 4 << 20
	previewTime = 10 * time.Second
)

// photos are the files in Slack, for whoever holds one of our addresses.
type photos struct{ slack *bot.Client }

// Open implements [files.Source].
func (p photos) Open(ctx context.Context, file, rng string) (*http.Response, error) {
	resp, err := p.slack.OpenFile(ctx, file, rng)
	if errors.Is(err, bot.ErrGone) {
		err = fmt.Errorf("%w: %w", files.ErrGone, err)
	}
	return resp, err
}

func (w *rooms) wireNotifier(turns notifier.Turns) error {
	a := w.app
	previews := files.NewFetcher(files.FetcherConfig{AllowPrivate: a.cfg.AllowPrivateURLs, MaxBytes: maxPreview, Timeout: previewTime})
	announcer := notifier.NewAnnouncer(notifier.AnnouncerConfig{
		Slack: w.slack, Store: w.store, Queue: w.queue, Pictures: previews, Log: w.log,
		Sheets: files.NewSheets(a.cfg.AllowPrivateURLs, photos{w.slack}, w.log),
		ZIP:    a.zips(), Finals: &notifier.Finals{Deliveries: w.deliveries, Fetcher: a.originals()},
		Access:  w.access(),
		Observe: a.metrics.Announcements.Observe, Ops: w.tellOps,
	})
	err := w.announcements.Add(announcer.Kinds()...)
	if err != nil {
		return err
	}
	w.poller, err = notifier.NewPoller(notifier.PollerConfig{
		Service: w.background, Store: w.store, Schedule: a.cfg.PollSchedule,
		Lock: w.store.Lock("poller", notifier.Lease), Ops: w.tellOps, Log: w.log,
		Retention: store.Retention{Full: store.FullFor, For: a.cfg.Retention}, Turns: turns, Credits: w.credits,
		Reminders: notifier.NewReminders(w.store),
		Observe:   a.polled, Tracer: a.traces.tracer(),
	})
	return err
}

// work does one job of the queue, whichever room it belongs to.
func (w *rooms) work(ctx context.Context, d *queue.Delivery) error {
	ctx = w.app.failpoints.During(ctx, d.Kind)
	if _, ok := w.jobs.Kinds().Kind(d.Kind); ok {
		return w.jobs.Work(ctx, d)
	}
	if k, ok := w.announcements.Kind(d.Kind); ok {
		return k.Work(ctx, d)
	}
	// A newer version beside this one puts kinds of its own: it comes by again.
	w.log.WarnContext(ctx, "job of an unknown kind", "job", d.ID, "kind", d.Kind)
	return queue.Wait(5 * time.Second)
}

// died tells the person whose job cannot succeed.
func (w *rooms) died(ctx context.Context, letter queue.DeadLetter) error {
	w.log.ErrorContext(ctx, "job is dead", "ref", jobs.ShortRef(letter.ID), "job", letter.ID, "kind", letter.Kind, "reason", letter.Reason)
	if _, ok := w.jobs.Kinds().Kind(letter.Kind); ok {
		return w.jobs.Died(ctx, letter)
	}
	return nil
}

// unconfirmed tells the person whose button could not be taken.
func (w *rooms) unconfirmed(ctx context.Context, r bot.Request, sentence string) {
	where := bot.Where{Channel: r.Channel, User: r.User, Thread: r.Thread, ResponseURL: r.ResponseURL}
	if err := w.slack.Tell(ctx, where, sentence); err != nil {
		w.log.WarnContext(ctx, "person not told", "user", r.User, "err", err)
	}
}

// redisAway tells the operations channel of an outage of Redis, or with nil of its end.
func (w *rooms) redisAway(ctx context.Context, why error) {
	says := cards.RedisAway
	switch {
	case why == nil:
		says = cards.RedisBack
	case queue.Full(why):
		says = cards.RedisFull
	case errors.Is(why, queue.ErrUnconfirmed):
		says = cards.RedisUnconfirmed
	}
	if _, err := w.tellOps(ctx, says); err != nil {
		w.log.WarnContext(ctx, "operations channel not told", "err", err)
	}
}

// slackWasAway has the operations channel told of an outage of Slack that is over.
func (w *rooms) slackWasAway(ctx context.Context, from, to time.Time) {
	if err := w.jobs.SlackBack(ctx, from, to); err != nil {
		w.log.WarnContext(ctx, "operations channel not told", "err", err)
	}
}

// tellOps says something in the operations channel, when there is one, and tells whether it was
// said. It fails only when saying it later makes sense.
func (w *rooms) tellOps(ctx context.Context, sentence string) (bool, error) {
	w.log.WarnContext(ctx, "operations", "says", sentence)
	if w.app.cfg.OpsChannel == "" {
		return false, nil
	}
	_, err := w.slack.Post(ctx, bot.Post{Channel: w.app.cfg.OpsChannel, Text: sentence})
	if errors.Is(err, bot.ErrTryLater) {
		return false, err
	}
	if err != nil {
		w.log.ErrorContext(ctx, "operations channel not told", "err", err)
	}
	return err == nil, nil
}
