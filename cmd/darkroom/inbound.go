package main

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"darkroom/bot"
	"darkroom/cmd/darkroom/doctor"
	"darkroom/notifier/poll"
	"darkroom/store"
	"darkroom/store/queue"
)

const (
	pollsEvery  = time.Minute     // between two notes of polls, which alerts depend on
	inboundWait = 5 * time.Second // for Redis to take a note
)

// inbound notes when Slack last reached the app, for "darkroom doctor" and the log. It also notes when a poll last
// reached the photo service, for the metrics. Notes are rare, and no answer waits for one.
type inbound struct {
	inbounds *store.Inbounds
	log      *slog.Logger
	http     bool // Slack sends by HTTP, so it verifies a request URL

	mu    sync.Mutex
	next  map[store.Inbound]time.Time // when a note is due again
	notes chan store.Inbound
}

func newInbound(s *store.Inbounds, log *slog.Logger, http bool) *inbound {
	return &inbound{inbounds: s, log: log, http: http, next: map[store.Inbound]time.Time{}, notes: make(chan store.Inbound, 16)}
}

// answered notes a request, see [bot.Router.Observe].
func (in *inbound) answered(a bot.Answered) {
	switch a.Kind {
	case bot.KindCommand:
		in.note(store.InboundCommand)
	case bot.KindEvent:
		in.note(store.InboundEvent)
	default:
		in.note(store.InboundInteraction)
	}
}

// polled notes a poll, see [poll.Config.Observe].
func (in *inbound) polled(c poll.Cost) {
	if !c.Blind {
		in.note(store.InboundPoll)
	}
}

// verification notes whether Slack verified the request URL, see [bot.Server.ObserveVerification].
func (in *inbound) verification(verified bool) {
	what := store.InboundUnverified
	if verified {
		what = store.InboundVerified
	}
	in.mu.Lock()
	delete(in.next, what) // note each: they are few
	in.mu.Unlock()
	in.note(what)
}

// note queues a note if one is due. It never waits.
func (in *inbound) note(what store.Inbound) {
	now := time.Now()
	in.mu.Lock()
	defer in.mu.Unlock()
	if now.Before(in.next[what]) {
		return
	}
	select {
	case in.notes <- what:
		in.next[what] = now.Add(everyOf(what))
	default: // the next one will do
	}
}

func everyOf(what store.Inbound) time.Duration {
	if what == store.InboundPoll {
		return pollsEvery
	}
	return doctor.InboundEvery
}

// run writes the notes until ctx ends, and logs once what never came.
func (in *inbound) run(ctx context.Context) error {
	began := time.Now()
	missing := time.NewTimer(doctor.NoEventsAfter)
	defer missing.Stop()
	in.note(store.InboundStart)
	for {
		select {
		case <-ctx.Done():
			return nil
		case what := <-in.notes:
			in.write(ctx, what)
		case <-missing.C:
			in.logMissing(ctx, began)
		}
	}
}

// workAlive does the job that notes that the app runs.
func (in *inbound) workAlive(ctx context.Context, d *queue.Delivery) error {
	if d.Deliveries > 1 { // at first run has just noted it
		in.write(ctx, store.InboundStart)
	}
	return cmp.Or(ctx.Err(), queue.Wait(doctor.InboundEvery))
}

// write writes a note. If Redis takes none, the next one is written sooner.
func (in *inbound) write(ctx context.Context, what store.Inbound) {
	ctx, cancel := context.WithTimeout(ctx, inboundWait)
	defer cancel()
	if err := in.inbounds.NoteInbound(ctx, what, time.Now()); err != nil {
		in.mu.Lock()
		delete(in.next, what)
		in.mu.Unlock()
		in.log.DebugContext(ctx, "note of what came not written", "what", what, "err", err)
	}
}

// logMissing logs what Slack never sent although the app is up.
func (in *inbound) logMissing(ctx context.Context, began time.Time) {
	ctx, cancel := context.WithTimeout(ctx, inboundWait)
	defer cancel()
	last, err := in.inbounds.LastInbound(ctx)
	if err != nil {
		return // Redis is away, which the log says elsewhere
	}
	if f := doctor.DeliveryOf(last, in.http, time.Now()); f.Missing {
		in.log.WarnContext(ctx, "Slack's requests do not all arrive", "says", f.Message, "fix", f.Fix, "up", time.Since(began).Round(time.Minute))
	}
}
