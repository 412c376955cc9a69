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

// readiness says whether a click would be accepted.
type readiness struct {
	log         *slog.Logger
	socket      *bot.Socket // nil: Slack comes by HTTP
	queues      []*queue.Queue
	useful      func(ctx context.Context) error // nil when what Redis has is of use to an app of this configuration
	stopping    atomic.Bool
	redisUsable lately // what is written, and what is there
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

// notReadyEvery is how often the log says that the app is not ready: anybody may ask, and as often as they like.
const notReadyEvery = 5 * time.Second

// readyFor is how long an answer of Redis whether it takes writes counts, for whoever asks how often.
const readyFor = time.Second

// lately keeps an answer for [readyFor]. Whoever asks while it is looked for waits for it.
type lately struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

func (l *lately) ask(ctx context.Context, look func(context.Context) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.at) < readyFor {
		return l.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second) // the answer is for others, too
	defer cancel()
	l.err = look(ctx)
	l.at = time.Now()
	return l.err
}

// now says why a click would not be accepted: "" when Redis takes what is put, Slack can reach us, and we
// are not about to stop. The error says why Redis, or what is in it, is of no use. Of many workspaces it is enough that those of some are: all replicas
// have the same Redis, and one taken away for a master that is gone would serve nobody.
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

// errMoved keeps an app from being ready though Redis takes what is put.
var errMoved = errors.New("\"darkroom move\" gave the data in REDIS_URL to an app for many workspaces: set SLACK_CLIENT_ID and what belongs to it, or undo it: \"darkroom move --help\" says how")

// usable returns nil when Redis takes what is put, and what it has is of use to an app of this configuration.
func (a *readiness) usable(ctx context.Context) error {
	if err := a.anyQueueReady(ctx); err != nil {
		return err
	}
	return a.useful(ctx)
}

// unmoved returns nil when the data of an app for one workspace is still its own.
func unmoved(ctx context.Context, rdb redis.UniversalClient) error {
	moved, err := storetenants.MovedTo(ctx, rdb)
	if err == nil && moved.Team != "" {
		err = errMoved
	}
	return err
}

// anyQueueReady returns nil as soon as one of the queues takes what is put, else why the first that answered does not.
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
