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

// SocketConfig says how to reach Slack by Socket Mode.
type SocketConfig struct {
	AppToken string        // app-level token, xapp-…, with the scope connections:write
	APIURL   string        // "" = https://slack.com/api/
	Router   *Router       // answers what comes in
	Drain    time.Duration // for the envelopes in hand at the end; 0 = 5 s
	Log      *slog.Logger  // nil = none
	// Calls hears of each call to Slack, and Lost of each connection that ended or could not be had, with
	// one of [SocketReasons]; nil: nobody does. They must return at once.
	Calls func(client.Call)
	Lost  func(reason string)
}

// Socket is delivery by Socket Mode: the app dials out, and Slack hands each envelope to
// one of its connections. Requests are decoded and answered as they are by a [Server].
//
// An envelope is acknowledged on the connection it came by, and only when its handler
// has answered: whatever breaks before that, Slack delivers it again, and its natural
// identity makes it one job. A connection that Slack is about to close, or that has
// gone silent although we pinged, is kept until another has taken its place: Slack may be
// one that neither pings nor answers pings.
//
// See https://docs.slack.dev/apis/events-api/using-socket-mode
type Socket struct {
	api         *client.Client // with the app's token
	router      *Router
	log         *slog.Logger
	connections int
	times       times

	lost func(reason string)

	live  atomic.Int64   // connections that Slack said hello on
	conns sync.WaitGroup // whatever runs for a connection
}

// times are how long things may take.
type times struct {
	hello  time.Duration // from dialling to Slack's first frame
	quiet  time.Duration // without a sign of life until we ping; Slack pings every few seconds, or does not
	silent time.Duration // without a sign of life until the connection is replaced
	steady time.Duration // a connection that lasted this long was a good one
	slow   time.Duration // between tries while Slack will not have us
	linger time.Duration // an old connection listens on beside its successor; Slack warns 10 s ahead
	drain  time.Duration // for the envelopes in hand at the end
	bye    time.Duration // for Slack to take leave
	first  time.Duration // wait after a drop, and up to longest
	most   time.Duration
}

// usualConnections are held at once. Slack allows an app 10, all replicas together.
const usualConnections = 2

// NewSocket makes a Socket; it does not call Slack.
func NewSocket(cfg SocketConfig) *Socket {
	return &Socket{
		api:         client.New(client.Config{Token: cfg.AppToken, APIURL: cfg.APIURL, Log: cfg.Log, Observe: cfg.Calls}),
		router:      cfg.Router,
		log:         logger(cfg.Log),
		connections: usualConnections,
		lost:        cfg.Lost,
		times: times{
			hello: 10 * time.Second, quiet: 10 * time.Second, silent: 30 * time.Second, steady: time.Minute, slow: time.Minute,
			linger: 15 * time.Second, drain: cmp.Or(cfg.Drain, 5*time.Second), bye: time.Second,
			first: 500 * time.Millisecond, most: 30 * time.Second,
		},
	}
}

// Connected tells whether Slack can reach the app by at least one connection.
func (s *Socket) Connected() bool { return s.Connections() > 0 }

// Connections is how many connections Slack can reach the app by.
func (s *Socket) Connections() int { return int(s.live.Load()) }

// Run keeps the connections until ctx ends; then it takes nothing new, answers what it
// has in hand, for at most the drain time, and returns nil. [client.ErrToken] and
// [client.ErrMissingScope] end it early: no waiting would help.
func (s *Socket) Run(ctx context.Context) error {
	defer s.api.Close()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var seats sync.WaitGroup
	for range s.connections {
		seats.Go(func() {
			if err := s.keep(ctx); err != nil {
				stop(err)
			}
		})
	}
	seats.Wait()
	s.conns.Wait()
	if err := context.Cause(ctx); client.Mendable(err) {
		return err
	}
	return nil
}

// keep holds one connection after another. Each hangs up only when the next one has been
// greeted.
func (s *Socket) keep(ctx context.Context) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = s.times.first, s.times.most
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
		if ctx.Err() != nil || client.Mendable(err) {
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

// pause waits before the next connection, as the end of the last one asks for.
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
	case errors.Is(err, errSilent): // it took its time, and may carry nothing any more
		s.log.WarnContext(ctx, "slack connection shows no sign of life", "err", err)
	case errors.Is(err, errRefresh) && lasted >= s.times.steady:
		s.log.InfoContext(ctx, "slack asks for a new connection", "reason", err)
	default:
		pause = wait.NextBackOff()
		if told, ok := client.RetryAfter(err); ok {
			pause += told
		}
		if errors.Is(err, errRefresh) { // again so soon, but it closes whether there is another or not
			pause = min(pause, s.times.linger/5)
		}
		s.log.WarnContext(ctx, "slack connection lost or not to be had", "retry_in", pause, "err", err)
	}
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
}

// Why connections end, for whoever counts: see [SocketConfig].
const (
	SocketRefresh = "refresh"  // Slack asked for a new one, as it does every few hours
	SocketSilent  = "silent"   // nothing was heard from Slack
	SocketOff     = "off"      // Socket Mode is switched off for the app
	SocketTooMany = "too_many" // Slack allows the app no more connections
	SocketFailed  = "failed"   // it broke, or Slack could not be reached
)

// SocketReasons are all of them.
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
