package bot

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"

	"darkroom/bot/client"
)

// SocketConfig configures Socket Mode.
type SocketConfig struct {
	AppToken string        // app-level token xapp-… with the scope connections:write
	APIURL   string        // "": https://slack.com/api/
	Router   *Router       // answers the requests
	Drain    time.Duration // for open envelopes at the end; 0: 5 s
	Log      *slog.Logger  // nil: no log
	// Calls receives each call to Slack. Lost receives one of [SocketReasons] for each connection that
	// ended or failed to open. Both may be nil, and must return at once.
	Calls func(client.Call)
	Lost  func(reason string)
}

// Socket receives requests over Socket Mode: the app dials out, and Slack sends each envelope to one of
// its connections. It decodes and answers requests like a [Server].
//
// It acknowledges an envelope on the same connection, after its handler answered. If the connection breaks
// before, Slack delivers the envelope again, and its natural identity makes it one job. A connection stays
// open until its successor is ready, even if it is silent: some Slack servers neither ping nor answer
// pings.
//
// See https://docs.slack.dev/apis/events-api/using-socket-mode
type Socket struct {
	api         *client.Client // with the app-level token
	router      *Router
	log         *slog.Logger
	connections int
	times       times

	lost func(reason string)

	live  atomic.Int64   // connections after Slack's hello
	conns sync.WaitGroup // goroutines of connections
}

// times are the limits of a socket.
type times struct {
	hello    time.Duration // from dialing to Slack's hello
	quiet    time.Duration // without activity until the app pings; Slack itself pings every few seconds, or never
	silent   time.Duration // without activity until the connection is replaced
	steady   time.Duration // a connection that lasts this long resets the backoff
	slow     time.Duration // between tries while Slack refuses connections
	linger   time.Duration // how long an old connection listens beside its successor; Slack warns 10 s ahead
	drain    time.Duration // for open envelopes at the end
	closing  time.Duration // for Slack's close frame
	shortest time.Duration // shortest wait after a failure
	longest  time.Duration // longest wait after a failure
}

// defaultConnections are open at once. Slack allows ten for each app, over all replicas.
const defaultConnections = 2

// NewSocket returns a Socket. It does not call Slack yet.
func NewSocket(cfg SocketConfig) *Socket {
	return &Socket{
		api:         client.New(client.Config{Token: cfg.AppToken, APIURL: cfg.APIURL, Log: cfg.Log, Observe: cfg.Calls}),
		router:      cfg.Router,
		log:         logger(cfg.Log),
		connections: defaultConnections,
		lost:        cfg.Lost,
		times: times{
			hello: 10 * time.Second, quiet: 10 * time.Second, silent: 30 * time.Second, steady: time.Minute, slow: time.Minute,
			linger: 15 * time.Second, drain: cmp.Or(cfg.Drain, 5*time.Second), closing: time.Second,
			shortest: 500 * time.Millisecond, longest: 30 * time.Second,
		},
	}
}

// Connected reports whether at least one connection is open.
func (s *Socket) Connected() bool { return s.Connections() > 0 }

// Connections returns the number of open connections.
func (s *Socket) Connections() int { return int(s.live.Load()) }

// Run keeps the connections open until ctx ends. Then it accepts no more envelopes, answers the open ones
// within the drain time, and returns nil. [client.ErrToken] and [client.ErrMissingScope] end it early,
// since waiting does not help.
func (s *Socket) Run(ctx context.Context) error {
	defer s.api.Close()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var loops sync.WaitGroup
	for range s.connections {
		loops.Go(func() {
			if err := s.keepConnected(ctx); err != nil {
				stop(err)
			}
		})
	}
	loops.Wait()
	s.conns.Wait()
	if err := context.Cause(ctx); client.NeedsOperator(err) {
		return err
	}
	return nil
}

// keepConnected holds one connection after another. Each closes only after its successor's hello.
func (s *Socket) keepConnected(ctx context.Context) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = s.times.shortest, s.times.longest
	var old *socketConn
	for {
		began := time.Now()
		next, err := s.open(ctx)
		if err == nil {
			s.retire(ctx, old)
			old, err = next, next.wait(ctx)
		} else {
			old.dropIfSilent()
		}
		if ctx.Err() != nil || client.NeedsOperator(err) {
			s.retire(ctx, old)
			return err
		}
		if time.Since(began) >= s.times.steady {
			wait.Reset()
		}
		s.pause(ctx, err, time.Since(began), wait)
	}
}

func (s *Socket) retire(ctx context.Context, old *socketConn) {
	if old != nil {
		s.conns.Go(func() { old.retire(ctx) })
	}
}

// pause waits before the next connection, depending on how the last one ended.
func (s *Socket) pause(ctx context.Context, err error, lasted time.Duration, wait *backoff.ExponentialBackOff) {
	pause := time.Duration(0)
	if s.lost != nil {
		s.lost(lostReason(err))
	}
	switch {
	case errors.Is(err, errSwitchedOff):
		pause = s.times.slow
		s.log.ErrorContext(ctx, "socket mode is switched off for this app: switch it on under Settings, Socket Mode, at api.slack.com/apps, or configure delivery by HTTP", "retry_in", pause)
	case errors.Is(err, errTooManyConns):
		pause = s.times.slow
		s.log.ErrorContext(ctx, "slack allows the app no more connections: run fewer replicas", "retry_in", pause)
	case errors.Is(err, errSilent): // the wait for silence was long enough
		s.log.WarnContext(ctx, "slack connection shows no sign of life", "err", err)
	case errors.Is(err, errRefresh) && lasted >= s.times.steady:
		s.log.InfoContext(ctx, "slack asks for a new connection", "reason", err)
	default:
		pause = wait.NextBackOff()
		if after, ok := client.RetryAfter(err); ok {
			pause += after
		}
		if errors.Is(err, errRefresh) { // Slack closes it soon, with or without a successor
			pause = min(pause, s.times.linger/5)
		}
		s.log.WarnContext(ctx, "slack connection lost or not to be had", "retry_in", pause, "err", err)
	}
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
}

// The reasons why connections end, for metrics: see [SocketConfig].
const (
	SocketRefresh = "refresh"  // Slack asked for a new one, as every few hours
	SocketSilent  = "silent"   // no activity
	SocketOff     = "off"      // Socket Mode is switched off for the app
	SocketTooMany = "too_many" // Slack allows the app no more connections
	SocketFailed  = "failed"   // the connection broke, or Slack was unreachable
)

// SocketReasons returns all reasons.
func SocketReasons() []string {
	return []string{SocketRefresh, SocketSilent, SocketOff, SocketTooMany, SocketFailed}
}

func lostReason(err error) string {
	switch {
	case errors.Is(err, errRefresh):
		return SocketRefresh
	case errors.Is(err, errSilent):
		return SocketSilent
	case errors.Is(err, errSwitchedOff):
		return SocketOff
	case errors.Is(err, errTooManyConns):
		return SocketTooMany
	}
	return SocketFailed
}
