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

// Handler is the work of a command line, a button or a shortcut.
type Handler func(ctx context.Context, r bot.Request) error

const (
	readOnlyAtOnce = 128              // concurrent requests, slow ones included
	readOnlyTime   = 15 * time.Second // limit of one request

	// AckPatience is the time that a line's acknowledgement waits for the answer.
	AckPatience = time.Second
	// FailureTime bounds the message about a failure.
	FailureTime = 10 * time.Second
)

// ReadOnly answers read-only requests in the process that received them.
type ReadOnly struct {
	jobs    *jobs.Jobs
	log     *slog.Logger
	running *Running
	slots   *semaphore.Weighted
	answers *Messages
}

// NewReadOnly returns a runner of read-only requests.
func NewReadOnly(jobs *jobs.Jobs, log *slog.Logger, running *Running, answers *Messages) *ReadOnly {
	return &ReadOnly{jobs: jobs, log: log, running: running, answers: answers, slots: semaphore.NewWeighted(readOnlyAtOnce)}
}

// errPanic is the error of a request that panicked.
var errPanic = errors.New("panic")

// Answer runs a read-only request in this process: if the process dies, the person can ask again. A command line's
// answer is its acknowledgement if it is fast and fits. Other requests are acknowledged at once.
func (c *ReadOnly) Answer(ctx context.Context, r bot.Request, run Handler) (bot.Reply, error) {
	end, ok := c.Begin()
	if !ok {
		return c.busy(ctx, r)
	}
	a := &ack{reply: make(chan bot.Reply, 1)}
	if r.Kind != bot.KindCommand {
		a.send(bot.Ack())
	}
	ctx, cancel := context.WithTimeout(context.WithValue(context.WithoutCancel(ctx), ackKey{}, a), readOnlyTime)
	go func() {
		defer end()
		defer cancel()
		defer a.send(bot.Ack())
		if err := c.Run(ctx, r, run); err != nil {
			c.reportFailure(ctx, r, err)
		}
	}()
	if r.Kind == bot.KindCommand {
		defer time.AfterFunc(AckPatience, func() { a.send(bot.Ack()) }).Stop()
	}
	return <-a.reply, nil
}

// Run runs a handler and turns a panic into an error.
func (c *ReadOnly) Run(ctx context.Context, r bot.Request, run Handler) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = c.Panicked(ctx, r, p)
		}
	}()
	return run(ctx, r)
}

// Panicked logs a panic with its stack and returns its error.
func (c *ReadOnly) Panicked(ctx context.Context, r bot.Request, p any) error {
	c.log.ErrorContext(ctx, "look panicked", "name", r.Name, "verb", r.Verb, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	return fmt.Errorf("%w: %v", errPanic, p)
}

// reportFailure tells the person about a failure, also after the request's deadline.
func (c *ReadOnly) reportFailure(ctx context.Context, r bot.Request, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), FailureTime)
	defer cancel()
	if err := c.answers.Fail(ctx, r, err); err != nil {
		c.log.ErrorContext(ctx, "person not told", "user", r.User, "err", err)
	}
}

// busy answers a request without a slot. Slack sends a refused event again.
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

// Begin takes a slot for a read-only request until end is called; ok is false if no slot is free.
func (c *ReadOnly) Begin() (end func(), ok bool) {
	if !c.slots.TryAcquire(1) {
		return nil, false
	}
	ended := c.running.begin()
	return func() {
		c.slots.Release(1)
		ended()
	}, true
}
