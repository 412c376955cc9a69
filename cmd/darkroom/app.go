package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

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

// app is the whole of Darkroom, wired: serve, demo and the tests run the same one.
type app struct {
	cfg           config
	log           *slog.Logger
	rdb           redis.UniversalClient
	queue         *queue.Queue
	store         *store.Store
	slack         *bot.Client
	router        *bot.Router
	server        *bot.Server // nil: no signing secret, so nothing that comes by HTTP is believed
	ears          *ears
	socket        *bot.Socket   // nil: no app token, so no Socket Mode
	signer        *files.Signer // nil: no PUBLIC_URL, so photos in Slack stay there
	deliveries    deliveries
	stopping      atomic.Bool
	notReady      rate.Sometimes
	redisTakes    lately // what is written
	commands      *commands.Commands
	jobs          *jobs.Jobs
	announcements queue.Registry // the kinds of job that the announcer does
	poller        *notifier.Poller
	credits       *notifier.CreditWatch
	traces        *traces // nil: no spans are recorded
	metrics       *metrics.Metrics
	admin         net.Listener // where metrics and pprof are; nil: nowhere

	failpoints *failpoints // nil but in the chaos suite
}

// newApp wires the rooms together; it starts nothing. The failpoints are nil but in the
// chaos suite.
func newApp(cfg config, log *slog.Logger, points *failpoints) (*app, error) {
	a := &app{cfg: cfg, log: log, metrics: metrics.New(build()), failpoints: points, notReady: rate.Sometimes{Interval: notReadyEvery}}
	var err error
	if a.rdb, err = store.Connect(string(cfg.RedisURL)); err != nil {
		return nil, fmt.Errorf("REDIS_URL: %w", err)
	}
	points.Redis(a.rdb)
	if a.traces, err = newTraces(cfg, log); err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	a.metrics.Redis.Watch(a.rdb)
	a.queue = queue.New(a.rdb, queue.Options{
		Logger: log, OnDead: a.died, OnOutage: a.redisAway, DrainTimeout: workDrain,
		Observe: a.metrics.Jobs.Observe, Tracer: a.traces.tracer(),
	})
	a.store = store.New(a.rdb, a.queue)
	a.slack = bot.NewClient(bot.ClientConfig{
		Token: string(cfg.SlackBotToken), APIURL: cfg.SlackAPIURL, Log: log,
		Pacer: a.store.ChannelLimiter(), Reads: a.store.ReadTurns(), OnOutage: a.slackWasAway, Wrap: points.Slack(),
		Observe: a.metrics.Slack.Observe, Tracer: a.traces.tracer(),
	})
	if cfg.PublicURL != "" {
		if a.signer, err = files.NewSigner(cfg.PublicURL, cfg.fileKeys()); err != nil {
			return nil, fmt.Errorf("PUBLIC_URL, FILE_SIGNING_KEY: %w", err)
		}
	}
	pace := a.store.Rate(cfg.UpstreamRate)
	people, err := a.newService(pace.People(), metrics.People)
	if err != nil {
		return nil, err
	}
	turns := pace.Background()
	background, err := a.newService(turns, metrics.Poller)
	if err != nil {
		return nil, err
	}
	a.credits = notifier.NewCreditWatch(notifier.CreditWatchConfig{
		Below: cfg.lowCredits(), Balance: background.Balance, Seen: a.metrics.Credits.Set, Store: a.store, Log: log,
	})
	a.deliveries = deliveries{a.store, people}
	if err := a.wireCommands(watched{people, a.credits}); err != nil {
		return nil, err
	}
	if err := a.wireNotifier(background, turns); err != nil {
		return nil, err
	}
	return a, a.measure()
}

// access judges who may see and do what; it keeps nothing, so that each room may have its own.
func (a *app) access() *access.Control {
	return access.New(access.Config{Slack: a.slack, Store: a.store, Operators: a.cfg.Operators, Offers: a.store.Offer, Log: a.log})
}

func (a *app) wireCommands(service jobs.Service) (err error) {
	who := a.access()
	says, err := a.cfg.services()
	if err != nil {
		return err
	}
	a.jobs, err = jobs.New(jobs.Config{
		Slack: a.slack, Service: service, Store: a.store, Queue: a.queue,
		Access: who, Files: a.signer, Ops: a.tellOps, Log: a.log, Services: says,
		Others: &a.announcements, GivenUp: a.metrics.Jobs.GivenUp, Retention: a.cfg.Retention,
	})
	if err != nil {
		return err
	}
	a.commands, err = commands.New(commands.Config{
		Slack: a.slack, Service: service, Store: a.store,
		Jobs: a.jobs, Access: who, Files: a.signer, ZIP: a.zips(), Log: a.log, Services: says,
	})
	if err != nil {
		return err
	}
	a.router = bot.NewRouter(a.log)
	a.router.Unconfirmed(a.unconfirmed)
	a.router.Trace(a.traces.tracer())
	a.commands.Routes(a.router)
	a.ears = newEars(a.store, a.log, a.cfg.SlackSigningSecret != "")
	a.router.Observe(a.answered)
	a.metrics.Requests.Know(a.router.Routes(), a.commands.Verbs())
	if a.cfg.SlackSigningSecret != "" {
		a.server = bot.NewServer(string(a.cfg.SlackSigningSecret), a.router, a.log)
		a.server.ObserveVerification(a.ears.verification)
		a.server.ObserveRefused(a.metrics.Requests.Refused)
	}
	if a.cfg.SlackAppToken != "" {
		a.socket = bot.NewSocket(bot.SocketConfig{
			AppToken: string(a.cfg.SlackAppToken), APIURL: a.cfg.SlackAPIURL, Router: a.router, Log: a.log,
			Drain: hearDrain, Calls: a.metrics.Slack.Observe, Lost: a.metrics.Socket.Lost,
		})
	}
	return nil
}

// answered is told of each request of Slack's that was answered.
func (a *app) answered(q bot.Answered) {
	a.metrics.Requests.Observe(q)
	a.ears.answered(q)
}

// polled is told of each poll.
func (a *app) polled(c notifier.Cost) {
	a.metrics.Polls.Observe(c)
	a.ears.polled(c)
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

func (a *app) wireNotifier(service *upstream.Client, turns notifier.Turns) error {
	previews := files.NewFetcher(files.FetcherConfig{AllowPrivate: a.cfg.AllowPrivateURLs, MaxBytes: maxPreview, Timeout: previewTime})
	announcer := notifier.NewAnnouncer(notifier.AnnouncerConfig{
		Slack: a.slack, Store: a.store, Queue: a.queue, Pictures: previews, Log: a.log,
		Sheets: files.NewSheets(a.cfg.AllowPrivateURLs, photos{a.slack}, a.log),
		ZIP:    a.zips(), Finals: &notifier.Finals{Deliveries: a.deliveries, Fetcher: a.originals()},
		Access:  a.access(),
		Observe: a.metrics.Announcements.Observe, Ops: a.tellOps,
	})
	err := a.announcements.Add(announcer.Kinds()...)
	if err != nil {
		return err
	}
	a.poller, err = notifier.NewPoller(notifier.PollerConfig{
		Service: service, Store: a.store, Schedule: a.cfg.PollSchedule,
		Lock: a.store.Lock("poller", notifier.Lease), Ops: a.tellOps, Log: a.log,
		Retention: store.Retention{Full: store.FullFor, For: a.cfg.Retention}, Turns: turns, Credits: a.credits,
		Reminders: notifier.NewReminders(a.store),
		Observe:   a.polled, Tracer: a.traces.tracer(),
	})
	return err
}

// work does one job of the queue, whichever room it belongs to.
func (a *app) work(ctx context.Context, d *queue.Delivery) error {
	ctx = a.failpoints.During(ctx, d.Kind)
	if _, ok := a.jobs.Kinds().Kind(d.Kind); ok {
		return a.jobs.Work(ctx, d)
	}
	if k, ok := a.announcements.Kind(d.Kind); ok {
		return k.Work(ctx, d)
	}
	// A newer version beside this one puts kinds of its own: it comes by again.
	a.log.WarnContext(ctx, "job of an unknown kind", "job", d.ID, "kind", d.Kind)
	return queue.Wait(5 * time.Second)
}

// died tells the person whose job cannot succeed.
func (a *app) died(ctx context.Context, letter queue.DeadLetter) error {
	a.log.ErrorContext(ctx, "job is dead", "ref", jobs.ShortRef(letter.ID), "job", letter.ID, "kind", letter.Kind, "reason", letter.Reason)
	if _, ok := a.jobs.Kinds().Kind(letter.Kind); ok {
		return a.jobs.Died(ctx, letter)
	}
	return nil
}

// unconfirmed tells the person whose button could not be taken.
func (a *app) unconfirmed(ctx context.Context, r bot.Request, sentence string) {
	where := bot.Where{Channel: r.Channel, User: r.User, Thread: r.Thread, ResponseURL: r.ResponseURL}
	if err := a.slack.Tell(ctx, where, sentence); err != nil {
		a.log.WarnContext(ctx, "person not told", "user", r.User, "err", err)
	}
}

// redisAway tells the operations channel of an outage of Redis, or with nil of its end.
func (a *app) redisAway(ctx context.Context, why error) {
	says := cards.RedisAway
	switch {
	case why == nil:
		says = cards.RedisBack
	case queue.Full(why):
		says = cards.RedisFull
	case errors.Is(why, queue.ErrUnconfirmed):
		says = cards.RedisUnconfirmed
	}
	if _, err := a.tellOps(ctx, says); err != nil {
		a.log.WarnContext(ctx, "operations channel not told", "err", err)
	}
}

// slackWasAway has the operations channel told of an outage of Slack that is over.
func (a *app) slackWasAway(ctx context.Context, from, to time.Time) {
	if err := a.jobs.SlackBack(ctx, from, to); err != nil {
		a.log.WarnContext(ctx, "operations channel not told", "err", err)
	}
}

// tellOps says something in the operations channel, when there is one, and tells whether it was
// said. It fails only when saying it later makes sense.
func (a *app) tellOps(ctx context.Context, sentence string) (bool, error) {
	a.log.WarnContext(ctx, "operations", "says", sentence)
	if a.cfg.OpsChannel == "" {
		return false, nil
	}
	_, err := a.slack.Post(ctx, bot.Post{Channel: a.cfg.OpsChannel, Text: sentence})
	if errors.Is(err, bot.ErrTryLater) {
		return false, err
	}
	if err != nil {
		a.log.ErrorContext(ctx, "operations channel not told", "err", err)
	}
	return err == nil, nil
}

// How long what is under way may take when the app stops: first what people sent, then
// the jobs in hand. They fit into the ten seconds that Docker gives before it kills, with
// what comes on top: a second to take leave of Slack, a third of the queue's lease for
// jobs to notice, and two seconds for a Redis that is slow. Slack itself waits three
// seconds for an answer; a job that is cut off is handed back, and whoever takes it looks
// before it sends.
const (
	hearDrain = 3 * time.Second
	workDrain = 2 * time.Second
)

// idle is how long a connection without a request is kept: longer than the proxies in
// front do, which would else send into one that is just being closed.
const idle = 2 * time.Minute

// run serves on the listener until ctx ends, then drains: no new request is taken,
// those under way are answered, jobs in hand are finished, and the rest is left in
// Redis for whoever comes next.
func (a *app) run(ctx context.Context, listener net.Listener) error {
	server := a.httpServer(a.mux())
	defer a.serveAdmin()()
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	hear, stopHearing := context.WithCancel(work)
	defer stopHearing()
	deaf := make(chan struct{})
	parts := []func() error{
		func() error { return server.Serve(listener) },
		func() error { return a.queue.Run(a.failpoints.During(work, "queue"), a.work) },
		func() error { return a.ears.run(work) },
		func() error { return a.poller.Run(a.failpoints.During(work, "poll")) },
		func() error { defer close(deaf); return a.hear(hear) },
	}
	ended := make(chan error, len(parts))
	for _, part := range parts {
		go func() { ended <- part() }()
	}
	var failed error
	running := len(parts)
	select {
	case <-ctx.Done():
		a.log.Info("stopping", "reason", context.Cause(ctx))
	case failed = <-ended:
		running--
		a.log.Error("stopping", "err", failed)
	}
	a.stopping.Store(true)
	stopHearing()
	a.drain(ctx, server, deaf)
	stopWork()
	for range running {
		failed = errors.Join(failed, a.failure(<-ended))
	}
	return errors.Join(failed, a.close())
}

// maxHeaders is what the headers of a request may weigh; Slack's weigh less than one kB. Go allows one MB, which
// it holds for each connection until they are whole.
const maxHeaders = 16 << 10

// httpServer serves a mux. It bounds what the headers of a request weigh and how long it may take to arrive, and not
// how long its answer takes: a photo, or a profile, may be long.
func (a *app) httpServer(mux http.Handler) *http.Server {
	return &http.Server{
		Handler: mux, MaxHeaderBytes: maxHeaders, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, IdleTimeout: idle,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
}

// hear takes what Slack sends by Socket Mode, if that is configured, until ctx ends.
func (a *app) hear(ctx context.Context) error {
	if a.socket == nil {
		<-ctx.Done()
		return nil
	}
	err := a.socket.Run(ctx)
	switch {
	case errors.Is(err, bot.ErrMissingScope):
		return fmt.Errorf("SLACK_APP_TOKEN: Slack does not let it open connections (%w); make one with the scope connections:write under Basic Information", err)
	case errors.Is(err, bot.ErrToken):
		return fmt.Errorf("SLACK_APP_TOKEN: Slack does not know it (%w); make one with the scope connections:write under Basic Information", err)
	}
	return err
}

// drain lets requests under way be answered, and the looks that go on behind them; a client
// that stalls does not hold the app up.
func (a *app) drain(ctx context.Context, server *http.Server, deaf <-chan struct{}) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hearDrain)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		a.log.Warn("requests were cut off", "err", errors.Join(err, server.Close()))
	}
	if err := a.router.Wait(ctx); err != nil {
		a.log.Warn("requests are still being handled", "err", err)
	}
	<-deaf
	if err := a.commands.Wait(ctx); err != nil {
		a.log.Warn("looks are cut off: whoever asked for them asks again", "err", err)
	}
}

// failure is what a part ended with, unless that is how it ends when told to. A queue that cannot hand
// back what is in hand, as while Redis is away, has failed nobody: it is all still there.
func (a *app) failure(err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, http.ErrServerClosed):
		return nil
	case errors.Is(err, queue.ErrNotDrained):
		a.log.Warn("stopped before Redis took everything back: what is left is still in it, and goes on wherever the app runs next", "err", err)
		return nil
	}
	return err
}

func (a *app) close() error {
	a.slack.Close()
	a.traces.close()
	return a.rdb.Close()
}
