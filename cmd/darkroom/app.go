package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/failpoints"
	"darkroom/cmd/darkroom/metrics"
	"darkroom/cmd/darkroom/tenants"
	"darkroom/cmd/darkroom/workspace"
	"darkroom/files"
	"darkroom/jobs/accounts"
	"darkroom/notifier/announce"
	"darkroom/notifier/poll"
	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/queue"
)

// app is the whole of Darkroom, wired: serve, demo and the tests run the same one.
type app struct {
	cfg     config.Config
	log     *slog.Logger
	rdb     redis.UniversalClient
	shared  *workspace.Shared
	own     *workspace.App   // of the workspace of the environment; that of an app for many is there for what all have alike
	many    *tenants.Tenants // nil: there is that one workspace only
	poller  *poll.Poller     // of that one
	polls   *queue.Queue     // of that one
	front   *bot.Router      // hears all
	server  *bot.Server      // nil: no signing secret, so nothing that comes by HTTP is believed
	inbound *inbound
	socket  *bot.Socket // nil: no app token, so no Socket Mode
	ready   *readiness
	traces  *traces // nil: no spans are recorded
	metrics *metrics.Metrics
	admin   *admin

	failpoints *failpoints.Points // nil but in the chaos suite
}

// newApp wires the packages together; it starts nothing. The failpoints are nil but in the
// chaos suite.
func newApp(cfg config.Config, log *slog.Logger, points *failpoints.Points) (*app, error) {
	return newAppWith(cfg, log, points, newWaits())
}

// newAppWith is newApp with other waits than those of the build.
func newAppWith(cfg config.Config, log *slog.Logger, points *failpoints.Points, w workspace.Waits) (*app, error) {
	a := &app{cfg: cfg, log: log, metrics: metrics.New(build()), failpoints: points}
	var err error
	if a.rdb, err = conn.ConnectFor(string(cfg.RedisURL), cfg.CommandsAtOnce()); err != nil {
		return nil, fmt.Errorf("REDIS_URL: %w", err)
	}
	points.Redis(a.rdb)
	if a.traces, err = newTraces(cfg, log); err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	a.metrics.Redis.Watch(a.rdb)
	a.admin = &admin{addr: cfg.AdminAddr, metrics: a.metrics.Handler(), log: log}
	a.shared = &workspace.Shared{
		Config: cfg, Log: log, Redis: a.rdb, Metrics: a.metrics, Tracer: a.traces.tracer(), Failpoints: points, Waits: w,
		Sheets: files.NewSheets(cfg.AllowPrivateURLs, nil, log), Wakes: make(chan *store.Store, 64), Polled: a.polled,
	}
	if cfg.PublicURL != "" {
		if a.shared.Signer, err = files.NewSigner(cfg.PublicURL, cfg.FileKeys()); err != nil {
			return nil, fmt.Errorf("PUBLIC_URL, FILE_SIGNING_KEY: %w", err)
		}
	}
	return a, a.wireWorkspaces()
}

// wireWorkspaces wires the workspace of the environment, and what an app for many has.
func (a *app) wireWorkspaces() error {
	only, err := workspace.Only(a.shared, a.queueOptions(), a.slackWasAway)
	if err != nil {
		return err
	}
	var connecting *accounts.Connecting
	if a.cfg.Many() {
		a.shared.Previews = announce.NewPreviewLimits()
		connecting = &accounts.Connecting{} // so that it has the routes of the others
	}
	if a.own, err = workspace.New(only, connecting); err != nil {
		return err
	}
	if a.poller, err = poll.New(only.Polling()); err != nil {
		return err
	}
	a.polls = workspace.PollQueue(a.rdb, a.queueOptions())
	front, useful := a.own.Router, func(ctx context.Context) error { return unmoved(ctx, a.rdb) }
	if a.cfg.Many() {
		if a.many, err = tenants.New(a.shared, a.queueOptions()); err != nil {
			return err
		}
		front, useful = a.many.Router(front), a.many.OpensSomething
	}
	a.wireInbound(front)
	a.ready = &readiness{log: a.log, queues: a.queues(), useful: useful, notReady: rate.Sometimes{Interval: notReadyEvery}}
	if a.server == nil {
		a.ready.socket = a.socket
	}
	return a.measure()
}

// queueOptions are those of a queue that this process works on.
func (a *app) queueOptions() queue.Options {
	return queue.Options{
		Logger: a.log, OnDead: a.died, OnOutage: a.redisAway, DrainTimeout: workDrain, Lease: a.shared.Waits.Lease,
		Observe: a.metrics.Jobs.Observe, Tracer: a.traces.tracer(),
	}
}

// whose is what a workspace has of its own, by its id.
func (a *app) whose(ctx context.Context, id string) (*workspace.App, error) {
	if a.many == nil {
		return a.own, nil
	}
	return a.many.Of(ctx, id)
}

// redisAway tells of an outage of Redis, or with nil of its end. In an app for many workspaces the log has it, and none
// of them an operations channel.
func (a *app) redisAway(ctx context.Context, why error) {
	if a.many == nil {
		a.own.RedisAway(ctx, why)
	}
}

// slackWasAway tells of an outage of Slack that is over, as [app.redisAway] does.
func (a *app) slackWasAway(ctx context.Context, from, to time.Time) {
	if a.many == nil {
		a.own.SlackWasAway(ctx, from, to)
	}
}

// wireInbound has the app hear Slack, by HTTP or by Socket Mode or by both.
func (a *app) wireInbound(front *bot.Router) {
	cfg := a.cfg
	a.front = front
	a.inbound = newInbound(a.own.Store.Inbounds, a.log, cfg.SlackSigningSecret != "")
	front.Observe(a.answered)
	a.metrics.Requests.Know(a.own.Router.Routes(), a.own.Commands.Verbs())
	if cfg.SlackSigningSecret != "" {
		a.server = bot.NewServer(string(cfg.SlackSigningSecret), front, a.log)
		a.server.ObserveVerification(a.inbound.verification)
		a.server.ObserveRefused(a.metrics.Requests.Refused)
	}
	if cfg.SlackAppToken != "" {
		a.socket = bot.NewSocket(bot.SocketConfig{
			AppToken: string(cfg.SlackAppToken), APIURL: cfg.SlackAPIURL, Router: front, Log: a.log,
			Drain: hearDrain, Calls: a.metrics.Slack.Observe, Lost: a.metrics.Socket.Lost,
		})
	}
}

// answered is told of each request of Slack's that was answered.
func (a *app) answered(q bot.Answered) {
	a.metrics.Requests.Observe(q)
	a.inbound.answered(q)
}

// polled is told of each poll.
func (a *app) polled(c poll.Cost) {
	a.metrics.Polls.Observe(c)
	a.inbound.polled(c)
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
	stopTime  = 9 * time.Second // for all of that; what is left of it is for tokens that Slack is just renewing
)

// idle is how long a connection without a request is kept: longer than the proxies in
// front do, which would else send into one that is just being closed.
const idle = 2 * time.Minute

// run serves on the listener until ctx ends, then drains: no new request is taken,
// those under way are answered, jobs in hand are finished, and the rest is left in
// Redis for whoever comes next.
func (a *app) run(ctx context.Context, listener net.Listener) error {
	server := httpServer(a.mux(), a.log)
	defer a.admin.serve()()
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	hear, stopHearing := context.WithCancel(work)
	defer stopHearing()
	deaf := make(chan struct{})
	parts := []func() error{
		func() error { return server.Serve(listener) },
		func() error {
			return queue.RunAll(a.failpoints.During(work, "queue"), append(a.queues(), a.pollQueues()...), a.work)
		},
		func() error { return a.inbound.run(work) },
		func() error { return a.runPolls(work) },
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
	a.ready.stopping.Store(true)
	until := time.Now().Add(stopTime)
	stopHearing()
	a.drain(ctx, server, deaf)
	stopWork()
	for range running {
		failed = errors.Join(failed, failure(<-ended, a.log))
	}
	if a.many != nil {
		a.many.AwaitRenewals(until)
	}
	return errors.Join(failed, a.close())
}

// maxHeaders is what the headers of a request may weigh; Slack's weigh less than one kB. Go allows one MB, which
// it holds for each connection until they are whole.
const maxHeaders = 16 << 10

// httpServer serves a mux. It bounds what the headers of a request weigh and how long it may take to arrive, and not
// how long its answer takes: a photo, or a profile, may be long.
func httpServer(mux http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: mux, MaxHeaderBytes: maxHeaders, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, IdleTimeout: idle,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
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
	case errors.Is(err, client.ErrMissingScope):
		return fmt.Errorf("SLACK_APP_TOKEN: Slack does not let it open connections (%w); make one with the scope connections:write under Basic Information", err)
	case errors.Is(err, client.ErrToken):
		return fmt.Errorf("SLACK_APP_TOKEN: Slack does not know it (%w); make one with the scope connections:write under Basic Information", err)
	}
	return err
}

// drain lets requests under way be answered, and the looks that go on behind them; a client
// that stalls does not hold the app up.
func (a *app) drain(ctx context.Context, server *http.Server, deaf <-chan struct{}) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(a.shared.Waits.Drain, hearDrain))
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		a.log.Warn("requests were cut off", "err", errors.Join(err, server.Close()))
	}
	if err := a.front.Wait(ctx); err != nil {
		a.log.Warn("requests are still being handled", "err", err)
	}
	<-deaf
	if err := a.shared.Looks.Wait(ctx); err != nil {
		a.log.Warn("looks are cut off: whoever asked for them asks again", "err", err)
	}
}

// queues are those that this process works on.
func (a *app) queues() []*queue.Queue {
	if a.many == nil {
		return []*queue.Queue{a.own.Queue}
	}
	return slices.Clone(a.many.Queues[:])
}

// failure is what a part ended with, unless that is how it ends when told to. A queue that cannot hand
// back what is in hand, as while Redis is away, has failed nobody: it is all still there.
func failure(err error, log *slog.Logger) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, http.ErrServerClosed):
		return nil
	case errors.Is(err, queue.ErrNotDrained):
		log.Warn("stopped before Redis took everything back: what is left is still in it, and goes on wherever the app runs next", "err", err)
		return nil
	}
	return err
}

func (a *app) close() error {
	a.own.Slack.Close()
	if a.many != nil {
		a.many.Close()
	}
	a.traces.close()
	return a.rdb.Close()
}
