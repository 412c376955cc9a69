package answer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"golang.org/x/sync/semaphore"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/jobs"
)

// Handler is the work behind a command line, a button or a shortcut.
type Handler func(ctx context.Context, r bot.Request) error

const (
	readOnlyAtOnce = 128              // requests at once, late ones included
	readOnlyTime   = 15 * time.Second // that one may take

	// AckPatience is how long the acknowledgement of a line waits for its answer.
	AckPatience = time.Second
	// FailureTime is how long it may take to say that something failed.
	FailureTime = 10 * time.Second
)

// ReadOnly answers read-only requests in the process that received them.
type ReadOnly struct {
	jobs    *jobs.Jobs
	log     *slog.Logger
	running *Running
	places  *semaphore.Weighted
	answers *Messages
}

// NewReadOnly makes the handler from what it uses.
func NewReadOnly(jobs *jobs.Jobs, log *slog.Logger, running *Running, answers *Messages) *ReadOnly {
	return &ReadOnly{jobs: jobs, log: log, running: running, answers: answers, places: semaphore.NewWeighted(readOnlyAtOnce)}
}

// errPanic is the error of a request that panicked.
var errPanic = errors.New("panic")

// Answer runs a read-only request in this process: nothing is lost with it that cannot be asked for again. The answer
// of a command line is its acknowledgement when it comes soon and fits. Everything else is acknowledged at once.
func (c *ReadOnly) Answer(ctx context.Context, r bot.Request, run Handler) (bot.Reply, error) {
	end, ok := c.Begin()
	if !ok {
		return c.busy(ctx, r)
	}
	a := &ack{reply: make(chan bot.Reply, 1)}
	if r.Kind != bot.KindCommand {
		a.with(bot.Ack())
	}
	ctx, cancel := context.WithTimeout(context.WithValue(context.WithoutCancel(ctx), ackKey{}, a), readOnlyTime)
	go func() {
		defer end()
		defer cancel()
		defer a.with(bot.Ack())
		if err := c.Run(ctx, r, run); err != nil {
			c.sorry(ctx, r, err)
		}
	}()
	if r.Kind == bot.KindCommand {
		defer time.AfterFunc(AckPatience, func() { a.with(bot.Ack()) }).Stop()
	}
	return <-a.reply, nil
}

// Run runs a handler, and turns its panic into an error.
func (c *ReadOnly) Run(ctx context.Context, r bot.Request, run Handler) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = c.Panicked(ctx, r, p)
		}
	}()
	return run(ctx, r)
}

// Panicked is the error of a panic; the log has its stack.
func (c *ReadOnly) Panicked(ctx context.Context, r bot.Request, p any) error {
	c.log.ErrorContext(ctx, "look panicked", "name", r.Name, "verb", r.Verb, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	return fmt.Errorf("%w: %v", errPanic, p)
}

// sorry says what failed, also when its time is over.
func (c *ReadOnly) sorry(ctx context.Context, r bot.Request, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), FailureTime)
	defer cancel()
	if err := c.answers.Fail(ctx, r, err); err != nil {
		c.log.ErrorContext(ctx, "person not told", "user", r.User, "err", err)
	}
}

// busy answers a request that has no place; an event is asked for again.
func (c *ReadOnly) busy(ctx context.Context, r bot.Request) (bot.Reply, error) {
	c.log.WarnContext(ctx, "too many looks at once", "name", r.Name, "verb", r.Verb, "user", r.User)
	switch r.Kind {
	case bot.KindCommand:
		return bot.Ephemeral(cards.Busy), nil
	case bot.KindEvent:
		return bot.Reply{Again: true}, nil
	}
	return bot.Ack(), c.jobs.Messages.SendEphemeral(ctx, r, kit.Say(cards.Busy))
}

// Begin takes a place for a read-only request, until it ends; false: none is free.
func (c *ReadOnly) Begin() (end func(), ok bool) {
	if !c.places.TryAcquire(1) {
		return nil, false
	}
	ended := c.running.begin()
	return func() {
		c.places.Release(1)
		ended()
	}, true
}
