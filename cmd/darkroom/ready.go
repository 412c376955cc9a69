package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"darkroom/bot"
	"darkroom/cmd/darkroom/tenants"
	"darkroom/store/queue"
	storetenants "darkroom/store/tenants"
)

// readiness reports whether a click would be accepted.
type readiness struct {
	log         *slog.Logger
	socket      *bot.Socket // nil: Slack sends by HTTP
	queues      []*queue.Queue
	useful      func(ctx context.Context) error // returns nil if an app of this configuration can use the data in Redis
	stopping    atomic.Bool
	redisUsable recent // the result of usable
	notReady    rate.Sometimes
}

// serve answers 200 when a click would be accepted.
func (a *readiness) serve(w http.ResponseWriter, r *http.Request) {
	says, err := a.now(r.Context())
	if err != nil {
		a.notReady.Do(func() { a.log.WarnContext(r.Context(), "not ready", "err", err) })
	}
	if says != "" {
		answer(w, http.StatusServiceUnavailable, says)
		return
	}
	answer(w, http.StatusOK, "ready")
}

// notReadyEvery is how often the log says at most that the app is not ready: probes may be frequent.
const notReadyEvery = 5 * time.Second

// readyFor is how long a result of [readiness.usable] is reused.
const readyFor = time.Second

// recent caches a result for [readyFor]. Concurrent callers wait for one look.
type recent struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

func (r *recent) ask(ctx context.Context, look func(context.Context) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.at) < readyFor {
		return r.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second) // the result is for other callers, too
	defer cancel()
	r.err = look(ctx)
	r.at = time.Now()
	return r.err
}

// now returns why a click would not be accepted; "" if Redis takes jobs, Slack can reach the app, and the app is
// not stopping. The error says why Redis, or its data, cannot be used. An app for many workspaces is ready if Redis
// works for some of them: removing a replica because of one dead master would help nobody.
func (a *readiness) now(ctx context.Context) (says string, err error) {
	if a.stopping.Load() {
		return "stopping", nil
	}
	if a.socket != nil && !a.socket.Connected() {
		return "not connected to Slack", nil
	}
	err = a.redisUsable.ask(ctx, a.usable)
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, errMoved), errors.Is(err, tenants.ErrOpensNothing):
		return err.Error(), err
	case queue.Full(err):
		return "the memory of Redis is full", err
	case errors.Is(err, queue.ErrUnconfirmed):
		return "too few replicas of Redis confirm", err
	}
	return "Redis does not answer", err
}

// errMoved says that the data belongs to an app for many workspaces. The app is not ready then.
var errMoved = errors.New("\"darkroom move\" gave the data in REDIS_URL to an app for many workspaces: set SLACK_CLIENT_ID and what belongs to it, or undo it: \"darkroom move --help\" says how")

// usable returns nil if Redis takes jobs, and an app of this configuration can use its data.
func (a *readiness) usable(ctx context.Context) error {
	if err := a.anyQueueReady(ctx); err != nil {
		return err
	}
	return a.useful(ctx)
}

// unmoved returns [errMoved] if the data of an app for one workspace was moved.
func unmoved(ctx context.Context, rdb redis.UniversalClient) error {
	moved, err := storetenants.MovedTo(ctx, rdb)
	if err == nil && moved.Team != "" {
		err = errMoved
	}
	return err
}

// anyQueueReady returns nil as soon as one of the queues takes jobs, else the error of the first that answered.
func (a *readiness) anyQueueReady(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answers := make(chan error, len(a.queues))
	for _, q := range a.queues {
		go func() { answers <- q.Ready(ctx) }()
	}
	var first error
	for range a.queues {
		err := <-answers
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	return first
}

func (a *readiness) isReady(ctx context.Context) bool {
	says, _ := a.now(ctx)
	return says == ""
}
