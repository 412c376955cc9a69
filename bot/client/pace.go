package client

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"
)

// Pacer keeps the posts to each channel apart. One that all replicas share makes them
// keep Slack's pace together.
type Pacer interface {
	// Reserve takes the turn to post to channel, when it has come (wait is 0), and puts the next
	// one off by every. When it has not come it takes nothing, and says how long until then.
	Reserve(ctx context.Context, channel string, every time.Duration) (wait time.Duration, err error)
	// Delay says how long until the next turn; 0: now.
	Delay(ctx context.Context, channel string) (time.Duration, error)
	// Block says that there is no turn for that long: Slack said so.
	Block(ctx context.Context, channel string, wait time.Duration) error
}

const (
	// defaultPace is a little less than the one message a second that a channel takes, so that one that is
	// taken late need not put off all behind it. What two lose or win on their way is less than the
	// short bursts that Slack allows.
	defaultPace = 0.995
	// turnPatience is how long a post waits for its turn; who must wait longer is told how long.
	turnPatience = 2 * time.Second
	// soon is not worth coming back for.
	soon = 20 * time.Millisecond
	// pacerPatience bounds how long a shared pacer may take to answer.
	pacerPatience = 500 * time.Millisecond
)

// pace spaces the posts to each channel, and holds a channel back when Slack says so:
// this limit is a channel's, unlike those of all other methods. When the shared pacer does
// not answer, the process keeps the pace by itself.
type pace struct {
	every  time.Duration
	shared Pacer // nil: nobody else posts
	own    Pacer
	log    *slog.Logger
}

func newPace(perSecond float64, shared Pacer, log *slog.Logger) *pace {
	every := time.Duration(float64(time.Second) / cmp.Or(perSecond, defaultPace))
	return &pace{every: every, shared: shared, own: newCooldowns(), log: log}
}

var errTurn = errors.New("the channel takes no message yet")

// wait returns when a message may be posted to channel. It fails at once when that is
// later than it waits, or than ctx allows.
func (p *pace) wait(ctx context.Context, channel string) error {
	limit := time.Now().Add(turnPatience)
	if end, ok := ctx.Deadline(); ok && end.Before(limit) {
		limit = end
	}
	for {
		left := p.reserve(ctx, channel)
		if left <= 0 {
			return nil
		}
		if time.Now().Add(left).After(limit) {
			return &Error{Method: postMethod, RetryAfter: left, Class: []error{ErrTryLater}, Cause: errTurn}
		}
		select {
		case <-time.After(left):
		case <-ctx.Done():
			return &Error{Method: postMethod, RetryAfter: left, Class: []error{ErrTryLater}, Cause: ctx.Err()}
		}
	}
}

func (p *pace) reserve(ctx context.Context, channel string) time.Duration {
	return p.ask(ctx, func(ctx context.Context, keeper Pacer) (time.Duration, error) {
		return keeper.Reserve(ctx, channel, p.every)
	})
}

func (p *pace) left(ctx context.Context, channel string) time.Duration {
	return p.ask(ctx, func(ctx context.Context, keeper Pacer) (time.Duration, error) { return keeper.Delay(ctx, channel) })
}

// block outlives the call that was refused.
func (p *pace) block(ctx context.Context, channel string, wait time.Duration) {
	p.ask(context.WithoutCancel(ctx), func(ctx context.Context, keeper Pacer) (time.Duration, error) {
		return 0, keeper.Block(ctx, channel, wait)
	})
}

// ask asks the shared pacer, and the process's own when that does not answer.
func (p *pace) ask(ctx context.Context, question func(context.Context, Pacer) (time.Duration, error)) time.Duration {
	if p.shared != nil {
		ctx, cancel := context.WithTimeout(ctx, pacerPatience)
		defer cancel()
		left, err := question(ctx, p.shared)
		if err == nil {
			return left
		}
		p.log.DebugContext(ctx, "the pace is kept alone", "err", err)
	}
	left, _ := question(ctx, p.own) // it always answers
	return left
}
