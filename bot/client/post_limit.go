package client

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"
)

// Limiter limits the rate of posts to each channel. A shared Limiter makes all replicas keep the limit
// together.
type Limiter interface {
	// Reserve takes the channel's slot if it has come: it returns 0 and delays the next slot by every.
	// Otherwise it takes nothing and returns the time until then.
	Reserve(ctx context.Context, channel string, every time.Duration) (wait time.Duration, err error)
	// Delay returns the time until the next slot; 0: now.
	Delay(ctx context.Context, channel string) (time.Duration, error)
	// Block delays the next slot by wait, as Slack asked.
	Block(ctx context.Context, channel string, wait time.Duration) error
}

const (
	// defaultRate is a little less than Slack's one message a second per channel, so that a late post does
	// not delay all later ones. Slack allows short bursts, which covers the network's jitter.
	defaultRate = 0.995
	// slotTimeout is how long a post waits for its slot. A longer wait is returned to the caller.
	slotTimeout = 2 * time.Second
	// Waits shorter than soon are slept, not returned.
	soon = 20 * time.Millisecond
	// limiterTimeout bounds a call of the shared limiter.
	limiterTimeout = 500 * time.Millisecond
)

// postLimit spaces the posts to each channel, and blocks a channel when Slack asks for it. This limit is per
// channel, unlike those of other methods. If the shared limiter fails, the process keeps the rate alone.
type postLimit struct {
	every  time.Duration
	shared Limiter // nil: no other replica posts
	own    Limiter
	log    *slog.Logger
}

func newPostLimit(perSecond float64, shared Limiter, log *slog.Logger) *postLimit {
	every := time.Duration(float64(time.Second) / cmp.Or(perSecond, defaultRate))
	return &postLimit{every: every, shared: shared, own: newCooldowns(), log: log}
}

var errNoSlot = errors.New("the channel takes no message yet")

// wait waits until a message may be posted to channel. It fails at once if that takes longer than
// slotTimeout or ctx allows.
func (p *postLimit) wait(ctx context.Context, channel string) error {
	limit := time.Now().Add(slotTimeout)
	if end, ok := ctx.Deadline(); ok && end.Before(limit) {
		limit = end
	}
	for {
		left := p.reserve(ctx, channel)
		if left <= 0 {
			return nil
		}
		if time.Now().Add(left).After(limit) {
			return &Error{Method: postMethod, RetryAfter: left, Class: []error{ErrTryLater}, Cause: errNoSlot}
		}
		select {
		case <-time.After(left):
		case <-ctx.Done():
			return &Error{Method: postMethod, RetryAfter: left, Class: []error{ErrTryLater}, Cause: ctx.Err()}
		}
	}
}

func (p *postLimit) reserve(ctx context.Context, channel string) time.Duration {
	return p.ask(ctx, func(ctx context.Context, limiter Limiter) (time.Duration, error) {
		return limiter.Reserve(ctx, channel, p.every)
	})
}

func (p *postLimit) left(ctx context.Context, channel string) time.Duration {
	return p.ask(ctx, func(ctx context.Context, limiter Limiter) (time.Duration, error) { return limiter.Delay(ctx, channel) })
}

// block blocks the channel. It ignores the end of ctx.
func (p *postLimit) block(ctx context.Context, channel string, wait time.Duration) {
	p.ask(context.WithoutCancel(ctx), func(ctx context.Context, limiter Limiter) (time.Duration, error) {
		return 0, limiter.Block(ctx, channel, wait)
	})
}

// ask calls the shared limiter, and the process's own if that fails.
func (p *postLimit) ask(ctx context.Context, question func(context.Context, Limiter) (time.Duration, error)) time.Duration {
	if p.shared != nil {
		ctx, cancel := context.WithTimeout(ctx, limiterTimeout)
		defer cancel()
		left, err := question(ctx, p.shared)
		if err == nil {
			return left
		}
		p.log.DebugContext(ctx, "the pace is kept alone", "err", err)
	}
	left, _ := question(ctx, p.own) // it never fails
	return left
}
