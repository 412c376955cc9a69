package bot

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Pacer keeps the posts to each channel apart. One that all replicas share makes them
// keep Slack's pace together.
type Pacer interface {
	// Take takes the turn to post to channel, when it has come (wait is 0), and puts the next one
	// off by every. When it has not come it takes nothing, and says how long until then.
	Take(ctx context.Context, channel string, every time.Duration) (wait time.Duration, err error)
	// Left says how long until the next turn; 0: now.
	Left(ctx context.Context, channel string) (time.Duration, error)
	// Hold says that there is no turn for that long: Slack said so.
	Hold(ctx context.Context, channel string, wait time.Duration) error
}

const (
	// defaultPace is a little less than the one message a second that a channel takes: of
	// two that are sent a second apart, the second may be quicker on its way.
	defaultPace = 0.95
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
	own    *turns
	log    *slog.Logger
}

func newPace(perSecond float64, shared Pacer, log *slog.Logger) *pace {
	if perSecond <= 0 {
		perSecond = defaultPace
	}
	return &pace{every: time.Duration(float64(time.Second) / perSecond), shared: shared, own: newTurns(), log: log}
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
		left := p.take(ctx, channel)
		if left <= 0 {
			return nil
		}
		if time.Now().Add(left).After(limit) {
			return &Error{Method: postMethod, RetryAfter: left, class: []error{ErrTryLater}, cause: errTurn}
		}
		select {
		case <-time.After(left):
		case <-ctx.Done():
			return &Error{Method: postMethod, RetryAfter: left, class: []error{ErrTryLater}, cause: ctx.Err()}
		}
	}
}

func (p *pace) take(ctx context.Context, channel string) time.Duration {
	take := func(ctx context.Context) (time.Duration, error) { return p.shared.Take(ctx, channel, p.every) }
	if left, ok := p.ask(ctx, take); ok {
		return left
	}
	return p.own.take(channel, p.every)
}

func (p *pace) left(ctx context.Context, channel string) time.Duration {
	left := func(ctx context.Context) (time.Duration, error) { return p.shared.Left(ctx, channel) }
	if left, ok := p.ask(ctx, left); ok {
		return left
	}
	return p.own.left(channel)
}

// hold outlives the call that was refused.
func (p *pace) hold(ctx context.Context, channel string, wait time.Duration) {
	hold := func(ctx context.Context) (time.Duration, error) { return 0, p.shared.Hold(ctx, channel, wait) }
	if _, ok := p.ask(context.WithoutCancel(ctx), hold); !ok {
		p.own.hold(channel, wait)
	}
}

// ask asks the shared pacer, and tells whether it answered.
func (p *pace) ask(ctx context.Context, question func(context.Context) (time.Duration, error)) (left time.Duration, ok bool) {
	if p.shared == nil {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(ctx, pacerPatience)
	defer cancel()
	left, err := question(ctx)
	if err != nil {
		p.log.DebugContext(ctx, "the pace is kept alone", "err", err)
	}
	return left, err == nil
}
