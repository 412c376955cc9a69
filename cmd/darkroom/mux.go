package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"darkroom/bot"
	"darkroom/cmd/darkroom/config"
	"darkroom/files"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

// mux is every HTTP path that faces Slack, the photo service and probes. What is for operators alone is
// elsewhere: see [app.adminMux].
func (a *app) mux() http.Handler {
	mux := http.NewServeMux()
	if a.server != nil {
		for _, path := range []string{bot.PathCommands, bot.PathInteractions, bot.PathEvents} {
			mux.Handle(path, a.server)
		}
	}
	if a.signer != nil {
		mux.Handle(files.Path, files.NewHandler(a.signer, a, a.log))
		mux.Handle(files.ZIPPath, a.zipHandler())
	}
	if a.many != nil {
		for _, path := range []string{bot.PathInstall, bot.PathInstall + "/", bot.PathOAuth} {
			mux.Handle(path, a.many.install)
		}
	}
	mux.HandleFunc("GET "+config.PathHealth, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", a.ready)
	return mux
}

// ready answers 200 when a click would be accepted.
func (a *app) ready(w http.ResponseWriter, r *http.Request) {
	says, err := a.readiness(r.Context())
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

// readiness says why a click would not be accepted: "" when Redis takes what is put, Slack can reach us, and we
// are not about to stop. The error says why Redis, or what is in it, is of no use. Of many workspaces it is enough that those of some are: all replicas
// have the same Redis, and one taken away for a master that is gone would serve nobody.
func (a *app) readiness(ctx context.Context) (says string, err error) {
	if a.stopping.Load() {
		return "stopping", nil
	}
	if a.server == nil && !a.socket.Connected() {
		return "not connected to Slack", nil
	}
	err = a.redisUsable.ask(ctx, a.usable)
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, errMoved), errors.Is(err, errOpensNothing):
		return err.Error(), err
	case queue.Full(err):
		return "the memory of Redis is full", err
	case errors.Is(err, queue.ErrUnconfirmed):
		return "too few replicas of Redis confirm", err
	}
	return "Redis does not answer", err
}

// What keeps an app from being ready though Redis takes what is put.
var (
	errMoved        = errors.New("\"darkroom move\" gave the data in REDIS_URL to an app for many workspaces: set SLACK_CLIENT_ID and what belongs to it, or undo it: \"darkroom move --help\" says how")
	errOpensNothing = errors.New("ENCRYPTION_KEY opens no token of a workspace in Redis: set the key that they were written with")
)

// usable returns nil when Redis takes what is put, and what it has is of use to an app of this configuration.
func (a *app) usable(ctx context.Context) error {
	if err := a.anyQueueReady(ctx); err != nil {
		return err
	}
	if a.many == nil {
		moved, err := tenants.MovedTo(ctx, a.rdb)
		if err == nil && moved.Team != "" {
			err = errMoved
		}
		return err
	}
	return a.many.opensSomething(ctx)
}

// How an app looks whether its key opens something: so many entries of each shard, for so long.
const (
	entriesTried  = 100
	openingBudget = 500 * time.Millisecond
)

// errSeen ends a look at entries that has seen enough.
var errSeen = errors.New("seen enough")

// opensSomething returns [errOpensNothing] when there are secrets and none opens. Once one did, nobody looks again. While a
// part of Redis is away nobody knows, and nothing is said.
func (m *many) opensSomething(ctx context.Context) error {
	if m.opened.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, openingBudget)
	defer cancel()
	var sealed, away atomic.Bool
	var looks sync.WaitGroup
	for shard := range keyspace.Shards {
		looks.Go(func() {
			tried := 0
			err := m.directory.Entries.EachEntry(ctx, shard, func(e tenants.Entry) error {
				if tried++; e.Token == tenants.SealedNewest || e.Token == tenants.SealedOlder {
					m.opened.Store(true)
					cancel()
				}
				if e.Token == tenants.SealedNot {
					sealed.Store(true)
				}
				if m.opened.Load() || tried == entriesTried {
					return errSeen
				}
				return nil
			})
			if err != nil && !errors.Is(err, errSeen) {
				away.Store(true)
			}
		})
	}
	looks.Wait()
	if sealed.Load() && !away.Load() && !m.opened.Load() {
		return errOpensNothing
	}
	return nil
}

// anyQueueReady returns nil as soon as one of the queues takes what is put, else why the first that answered does not.
func (a *app) anyQueueReady(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queues := a.queues()
	answers := make(chan error, len(queues))
	for _, q := range queues {
		go func() { answers <- q.Ready(ctx) }()
	}
	var first error
	for range queues {
		err := <-answers
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	return first
}

func answer(w http.ResponseWriter, status int, says string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"app": config.AppName, "status": says}) // the client went away
}
