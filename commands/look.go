package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"darkroom/bot"
	"darkroom/cards"
)

const (
	looksAtOnce = 128              // looks running, late ones included
	ackPatience = time.Second      // how long the acknowledgement of a line waits for its answer
	lookTime    = 15 * time.Second // what a look may take
	sorryTime   = 10 * time.Second // and then the telling that it could not be had
)

// errPanic is what a look that panicked failed of.
var errPanic = errors.New("panic")

// look answers what only shows, in the process that heard it: nothing is lost with it that could
// not be asked for again. The answer of a command line is its acknowledgement when there soon is
// one that fits; everything else is acknowledged at once, and answered when it is.
func (c *Commands) look(ctx context.Context, r bot.Request, run handler) (bot.Reply, error) {
	end, ok := c.begin()
	if !ok {
		return c.busy(ctx, r)
	}
	a := &ack{reply: make(chan bot.Reply, 1)}
	if r.Kind != bot.KindCommand {
		a.with(bot.Ack())
	}
	ctx, cancel := context.WithTimeout(context.WithValue(context.WithoutCancel(ctx), ackKey{}, a), lookTime)
	go func() {
		defer end()
		defer cancel()
		defer a.with(bot.Ack())
		if err := c.runLook(ctx, r, run); err != nil {
			c.sorry(ctx, r, err)
		}
	}()
	if r.Kind == bot.KindCommand {
		defer time.AfterFunc(ackPatience, func() { a.with(bot.Ack()) }).Stop()
	}
	return <-a.reply, nil
}

// runLook runs a look, and turns its panic into an error.
func (c *Commands) runLook(ctx context.Context, r bot.Request, run handler) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = c.panicked(ctx, r, p)
		}
	}()
	return run(ctx, r)
}

// panicked is the error of a look that panicked; the log has where.
func (c *Commands) panicked(ctx context.Context, r bot.Request, p any) error {
	c.log.ErrorContext(ctx, "look panicked", "name", r.Name, "verb", r.Verb, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	return fmt.Errorf("%w: %v", errPanic, p)
}

// sorry says what a look failed of, also when its time is over.
func (c *Commands) sorry(ctx context.Context, r bot.Request, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sorryTime)
	defer cancel()
	if err := c.tellFailure(ctx, r, err); err != nil {
		c.log.ErrorContext(ctx, "person not told", "user", r.User, "err", err)
	}
}

// busy answers a look for which there is no place; an event is asked for again.
func (c *Commands) busy(ctx context.Context, r bot.Request) (bot.Reply, error) {
	c.log.WarnContext(ctx, "too many looks at once", "name", r.Name, "verb", r.Verb, "user", r.User)
	switch r.Kind {
	case bot.KindCommand:
		return bot.Ephemeral(cards.Busy), nil
	case bot.KindEvent:
		return bot.Reply{Again: true}, nil
	}
	return bot.Ack(), c.jobs.Messages.Tell(ctx, r, cards.Say(cards.Busy))
}

// begin takes a place for a look, until it ends; false: there is none.
func (c *Commands) begin() (end func(), ok bool) {
	if !c.looks.TryAcquire(1) {
		return nil, false
	}
	ended := c.all.begin()
	return func() {
		c.looks.Release(1)
		ended()
	}, true
}

// Wait is that of the looks which these count among: see [Config].
func (c *Commands) Wait(ctx context.Context) error { return c.all.Wait(ctx) }

// ack is an acknowledgement that is decided once: by the answer, by whatever must not wait for
// one, or by the clock.
type ack struct {
	once  sync.Once
	reply chan bot.Reply
}

type ackKey struct{}

// with decides it, and tells whether it was open still.
func (a *ack) with(reply bot.Reply) (first bool) {
	a.once.Do(func() {
		a.reply <- reply
		first = true
	})
	return first
}

// acked acknowledges what is looked at, if that has not happened yet.
func acked(ctx context.Context) {
	if a, ok := ctx.Value(ackKey{}).(*ack); ok {
		a.with(bot.Ack())
	}
}

// tell answers a click so that only that person sees it: in the acknowledgement, when that is
// still open and the message is sure to be taken there, because of one that is not, nobody hears.
func (c *Commands) tell(ctx context.Context, r bot.Request, m cards.Message) error {
	if a, ok := ctx.Value(ackKey{}).(*ack); ok && fitsAck(m) && a.with(bot.Ephemeral(m.Text, m.Blocks...)) {
		return nil
	}
	acked(ctx)
	return c.jobs.Messages.Tell(ctx, r, m)
}

// fitsAck tells a message that is small enough for an acknowledgement, and has no picture that
// Slack may be unable to fetch.
func fitsAck(m cards.Message) bool {
	raw, err := json.Marshal(m.Blocks)
	return err == nil && len(m.Text)+len(raw) < ackView && !strings.Contains(string(raw), `"image_url"`)
}
