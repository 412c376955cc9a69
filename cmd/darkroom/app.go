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
	"darkroom/files/inspect"
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
	own     *workspace.App   // of the environment's workspace; in an app for many only for the parts that all share
	many    *tenants.Tenants // nil: an app for one workspace
	poller  *poll.Poller     // of the environment's workspace
	polls   *queue.Queue     // of the environment's workspace
	front   *bot.Router      // gets all requests
	server  *bot.Server      // nil: no signing secret, so no requests by HTTP
	inbound *inbound
	socket  *bot.Socket // nil: no app token, so no Socket Mode
	ready   *readiness
	traces  *traces // nil: no spans are recorded
	metrics *metrics.Metrics
	admin   *admin

	failpoints *failpoints.Points // nil except in the chaos suite
}

// newApp wires the packages together; it starts nothing. points is nil except in the
// chaos suite.
func newApp(cfg config.Config, log *slog.Logger, points *failpoints.Points) (*app, error) {
	return newAppWith(cfg, log, points, newWaits())
}

// newAppWith is newApp with the given waits.
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
		Sheets: files.NewSheets(cfg.AllowPrivateURLs, nil, log), Inspector: inspect.New(cfg.AllowPrivateURLs), Wakes: make(chan *store.Store, 64), Polled: a.polled,
	}
	if cfg.PublicURL != "" {
		if a.shared.Signer, err = files.NewSigner(cfg.PublicURL, cfg.FileKeys()); err != nil {
			return nil, fmt.Errorf("PUBLIC_URL, FILE_SIGNING_KEY: %w", err)
		}
	}
	return a, a.wireWorkspaces()
}

// wireWorkspaces wires the environment's workspace, and the tenants of an app for many.
func (a *app) wireWorkspaces() error {
	only, err := workspace.Only(a.shared, a.queueOptions(), a.slackWasAway)
	if err != nil {
		return err
	}
	var connecting *accounts.Connecting
	if a.cfg.Many() {
		a.shared.Previews = announce.NewPreviewLimits()
		connecting = &accounts.Connecting{} // for its routes
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

// queueOptions returns the options of the queues that this process works on.
func (a *app) queueOptions() queue.Options {
	return queue.Options{
		Logger: a.log, OnDead: a.died, OnOutage: a.redisAway, DrainTimeout: workDrain, Lease: a.shared.Waits.Lease,
		Observe: a.metrics.Jobs.Observe, Tracer: a.traces.tracer(),
	}
}

// workspaceApp returns the app of a workspace, by its id.
func (a *app) workspaceApp(ctx context.Context, id string) (*workspace.App, error) {
	if a.many == nil {
		return a.own, nil
	}
	return a.many.Of(ctx, id)
}

// redisAway notifies the operations channel of an outage of Redis, or with nil of its end. In an app for many workspaces
// only the log reports it.
func (a *app) redisAway(ctx context.Context, why error) {
	if a.many == nil {
		a.own.RedisAway(ctx, why)
	}
}

// slackWasAway notifies the operations channel of an outage of Slack that is over, as [app.redisAway] does.
func (a *app) slackWasAway(ctx context.Context, from, to time.Time) {
	if a.many == nil {
		a.own.SlackWasAway(ctx, from, to)
	}
}

// wireInbound wires the ways in which Slack reaches the app: HTTP, Socket Mode or both.
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
			Drain: requestDrain, Calls: a.metrics.Slack.Observe, Lost: a.metrics.Socket.Lost,
		})
	}
}

// answered observes each answered request of Slack's.
func (a *app) answered(q bot.Answered) {
	a.metrics.Requests.Observe(q)
	a.inbound.answered(q)
}

// polled observes each poll.
func (a *app) polled(c poll.Cost) {
	a.metrics.Polls.Observe(c)
	a.inbound.polled(c)
}

// How long the app may take to stop: first it answers requests, then it finishes jobs.
// Both fit into the ten seconds before Docker kills. These also have room for a second to
// disconnect from Slack, a third of the queue's lease for jobs to notice, and two seconds for
// a slow Redis. Slack waits three seconds for an answer. An interrupted job is handed back;
// the replica that takes it verifies before it sends.
const (
	requestDrain = 3 * time.Second
	workDrain    = 2 * time.Second
	stopTime     = 9 * time.Second // for both; the rest is for renewals of tokens under way
)

// idle is how long a connection without a request stays open: longer than in the proxies
// in front, which would otherwise use a connection that is being closed.
const idle = 2 * time.Minute

// run serves on the listener until ctx ends, then drains: it takes no new requests,
// answers those under way, finishes running jobs, and leaves the others in Redis for
// another replica.
func (a *app) run(ctx context.Context, listener net.Listener) error {
	server := httpServer(a.mux(), a.log)
	defer a.admin.serve()()
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	receiving, stopReceiving := context.WithCancel(work)
	defer stopReceiving()
	socketEnded := make(chan struct{})
	parts := []func() error{
		func() error { return server.Serve(listener) },
		func() error {
			return queue.RunAll(a.failpoints.During(work, "queue"), append(a.queues(), a.pollQueues()...), a.work)
		},
		func() error { return a.inbound.run(work) },
		func() error { return a.runPolls(work) },
		func() error { defer close(socketEnded); return a.runSocket(receiving) },
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
	stopReceiving()
	a.drain(ctx, server, socketEnded)
	stopWork()
	for range running {
		failed = errors.Join(failed, failure(<-ended, a.log))
	}
	if a.many != nil {
		a.many.AwaitRenewals(until)
	}
	return errors.Join(failed, a.close())
}

// maxHeaders bounds a request's headers, in bytes; Slack's are shorter than one kB. Go's default is one MB for each
// connection.
const maxHeaders = 16 << 10

// httpServer serves a mux. It bounds the size of headers and the time until a request has arrived. It does not bound the
// time of an answer: a photo or a profile may take long.
func httpServer(mux http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: mux, MaxHeaderBytes: maxHeaders, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, IdleTimeout: idle,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// runSocket runs Socket Mode, if it is configured, until ctx ends.
func (a *app) runSocket(ctx context.Context) error {
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

// drain waits, within a limit, until requests under way are answered and their read-only requests to the
// service have ended.
func (a *app) drain(ctx context.Context, server *http.Server, socketEnded <-chan struct{}) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(a.shared.Waits.Drain, requestDrain))
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		a.log.Warn("requests were cut off", "err", errors.Join(err, server.Close()))
	}
	if err := a.front.Wait(ctx); err != nil {
		a.log.Warn("requests are still being handled", "err", err)
	}
	<-socketEnded
	if err := a.shared.Looks.Wait(ctx); err != nil {
		a.log.Warn("looks are cut off: whoever asked for them asks again", "err", err)
	}
}

// queues returns the job queues that this process works on.
func (a *app) queues() []*queue.Queue {
	if a.many == nil {
		return []*queue.Queue{a.own.Queue}
	}
	return slices.Clone(a.many.Queues[:])
}

// failure returns the error of a part, unless it ended as asked. It is no failure that a queue cannot hand
// jobs back while Redis is away: they are still in Redis.
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
