package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"darkroom/bot"
	"darkroom/notifier/poll"
	"darkroom/store"
)

const (
	heardEvery = 10 * time.Minute // a mark of one kind is written at most so often by one replica
	pollsEvery = time.Minute      // and that of polls, by which alerts go
	heardWait  = 5 * time.Second  // for Redis to take a mark
	deafAfter  = 15 * time.Minute // after the start, when the log hears of what never came: by then an event comes with the first clicks
)

// ears keep in mind when Slack was heard last, for "darkroom doctor" and for whoever reads the log, and when a poll
// last saw the photo service, for the metrics of whichever replica polls next.
// What they hear costs an answer nothing: marks are written beside it, and seldom.
type ears struct {
	store *store.Store
	log   *slog.Logger
	http  bool // there is a request URL for Slack to verify

	mu    sync.Mutex
	next  map[store.Heard]time.Time // when a mark is due again
	marks chan store.Heard
}

func newEars(s *store.Store, log *slog.Logger, http bool) *ears {
	return &ears{store: s, log: log, http: http, next: map[store.Heard]time.Time{}, marks: make(chan store.Heard, 16)}
}

// answered hears of a request, as [bot.Router.Observe] tells of it.
func (e *ears) answered(a bot.Answered) {
	switch a.Kind {
	case bot.KindCommand:
		e.hear(store.HeardCommand)
	case bot.KindEvent:
		e.hear(store.HeardEvent)
	default:
		e.hear(store.HeardInteraction)
	}
}

// polled hears of a poll, as [poll.Config.Observe] tells.
func (e *ears) polled(c poll.Cost) {
	if !c.Blind {
		e.hear(store.HeardPoll)
	}
}

// verification hears whether Slack verified the request URL, as [bot.Server.ObserveVerification] tells.
func (e *ears) verification(verified bool) {
	what := store.HeardUnverified
	if verified {
		what = store.HeardVerified
	}
	e.mu.Lock()
	delete(e.next, what) // each counts: they are few
	e.mu.Unlock()
	e.hear(what)
}

// hear has a mark written when one is due. It never waits.
func (e *ears) hear(what store.Heard) {
	now := time.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	if now.Before(e.next[what]) {
		return
	}
	select {
	case e.marks <- what:
		e.next[what] = now.Add(everyOf(what))
	default: // the next one will do
	}
}

func everyOf(what store.Heard) time.Duration {
	if what == store.HeardPoll {
		return pollsEvery
	}
	return heardEvery
}

// run writes the marks until ctx ends, and says once what never came.
func (e *ears) run(ctx context.Context) error {
	began := time.Now()
	alive := time.NewTicker(heardEvery)
	defer alive.Stop()
	deaf := time.NewTimer(deafAfter)
	defer deaf.Stop()
	e.hear(store.HeardStart)
	for {
		select {
		case <-ctx.Done():
			return nil
		case what := <-e.marks:
			e.write(ctx, what)
		case <-alive.C:
			e.hear(store.HeardStart)
		case <-deaf.C:
			e.sayMissing(ctx, began)
		}
	}
}

// write writes a mark; when Redis takes none, the next one is written sooner.
func (e *ears) write(ctx context.Context, what store.Heard) {
	ctx, cancel := context.WithTimeout(ctx, heardWait)
	defer cancel()
	if err := e.store.NoteHeard(ctx, what, time.Now()); err != nil {
		e.mu.Lock()
		delete(e.next, what)
		e.mu.Unlock()
		e.log.DebugContext(ctx, "mark not written", "what", what, "err", err)
	}
}

// sayMissing says in the log what Slack never sent although the app is up.
func (e *ears) sayMissing(ctx context.Context, began time.Time) {
	ctx, cancel := context.WithTimeout(ctx, heardWait)
	defer cancel()
	heard, err := e.store.LastHeard(ctx)
	if err != nil {
		return // Redis is away, and the log says so
	}
	if f := deliveryOf(heard, e.http, time.Now()); f.missing {
		e.log.WarnContext(ctx, "Slack's requests do not all arrive", "says", f.Says, "fix", f.Fix, "up", time.Since(began).Round(time.Minute))
	}
}
