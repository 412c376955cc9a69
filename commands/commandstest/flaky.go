package commandstest

import (
	"context"
	"io"
	"net"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
)

// Flaky is a connection to Redis that breaks once, at a command that a job sends.
type Flaky struct {
	Left  atomic.Int64 // commands until it breaks; 0: never
	After bool         // Redis runs the command, and only the answer is lost
}

// AtWork marks the context of a job.
type AtWork struct{}

func (f *Flaky) breaks(ctx context.Context) bool {
	return ctx.Value(AtWork{}) != nil && f.Left.Load() > 0 && f.Left.Add(-1) == 0
}

// DialHook does not break dialing.
func (f *Flaky) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook breaks the connection at a command.
func (f *Flaky) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		return f.meet(ctx, cmd.SetErr, func() error { return next(ctx, cmd) })
	}
}

// ProcessPipelineHook breaks the connection at a pipeline.
func (f *Flaky) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, all []redis.Cmder) error {
		return f.meet(ctx, func(err error) {
			for _, cmd := range all {
				cmd.SetErr(err)
			}
		}, func() error { return next(ctx, all) })
	}
}

func (f *Flaky) meet(ctx context.Context, fail func(error), send func() error) error {
	if !f.breaks(ctx) {
		return send()
	}
	if f.After {
		_ = send()
	}
	fail(io.EOF)
	return io.EOF
}
