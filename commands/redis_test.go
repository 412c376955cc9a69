package commands

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// flaky is a connection to Redis that breaks once: at a command that a job sends.
type flaky struct {
	left  atomic.Int64 // commands until it breaks; 0 = it never does
	after bool         // the command is carried out, and only its answer is lost
}

// atWork marks the context of a job.
type atWork struct{}

func (f *flaky) breaks(ctx context.Context) bool {
	return ctx.Value(atWork{}) != nil && f.left.Load() > 0 && f.left.Add(-1) == 0
}

func (f *flaky) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (f *flaky) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		return f.meet(ctx, cmd.SetErr, func() error { return next(ctx, cmd) })
	}
}

func (f *flaky) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, all []redis.Cmder) error {
		return f.meet(ctx, func(err error) {
			for _, cmd := range all {
				cmd.SetErr(err)
			}
		}, func() error { return next(ctx, all) })
	}
}

func (f *flaky) meet(ctx context.Context, fail func(error), send func() error) error {
	if !f.breaks(ctx) {
		return send()
	}
	if f.after {
		_ = send()
	}
	fail(io.EOF)
	return io.EOF
}

// Wherever the connection to Redis breaks while a job is done, what it does is done once
// and its person hears of it.
func TestABrokenConnectionToRedisCostsNothing(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]struct{ before, act, after func(r *rig) }{
		"placing": {
			before: func(r *rig) { r.types("new") },
			act:    func(r *rig) { r.submits() },
			after: func(r *rig) {
				creates, _ := r.service.sent()
				if r.draft().State == store.DraftUnknown { // it was to be sent: nobody else can know that it was not
					require.Zero(r.t, creates)
					require.Contains(r.t, r.screen.modal(), "Try again")
					return
				}
				require.Equal(r.t, 1, creates)
				require.Equal(r.t, store.DraftPlaced, r.draft().State)
				require.Contains(r.t, r.screen.modal(), "Order placed")
			},
		},
		"approving": {
			before: func(r *rig) { r.presses(cards.ActionApprove, cards.Value(r.inReview(), 0)) },
			act:    func(r *rig) { r.approves() },
			after: func(r *rig) {
				_, approves := r.service.sent()
				require.Equal(r.t, 1, approves)
				require.Len(r.t, r.approvals(), 1)
				require.Equal(r.t, "maria", r.approvals()[0].Actor)
				require.Contains(r.t, r.screen.modal(), "Approved")
			},
		},
		"relaying": {
			before: func(r *rig) { r.inThread() },
			act: func(r *rig) {
				r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
			},
			after: func(r *rig) {
				require.Equal(r.t, []string{"Softer"}, r.conversation())
				require.Len(r.t, r.eventsOf(order.EventMessage), 1)
				require.Equal(r.t, []string{"200.1 white_check_mark"}, r.screen.marks)
			},
		},
		"a line": {
			before: func(r *rig) { r.inReview() },
			act:    func(r *rig) { r.types("message order1 Softer") },
			after: func(r *rig) {
				require.Equal(r.t, []string{"Softer"}, r.conversation())
				require.Contains(r.t, r.screen.lastTold(), "Sent to the editor")
			},
		},
		"a button": {
			before: func(r *rig) { r.inReview() },
			act: func(r *rig) {
				r.click(bot.Request{Kind: bot.KindAction, Name: cards.ActionRevise, Value: cards.Value("order1", 0)})
			},
			after: func(r *rig) { require.Contains(r.t, r.screen.modal(), "Request changes") },
		},
	} {
		for _, after := range []bool{false, true} {
			for n := int64(1); ; n += 5 { // each of them was tried once; a fifth of them is watched
				broke := false
				t.Run(fmt.Sprintf("%s/%v/%d", name, after, n), func(t *testing.T) {
					bubble(t, func(r *rig) {
						story.before(r)
						r.redis.after = after
						r.redis.left.Store(n)
						story.act(r)
						r.settle(4 * time.Minute)
						broke = r.redis.left.Load() == 0
						story.after(r)
						require.NotContains(r.t, strings.Join(r.screen.dms, ""), "stopped trying", "no job died")
					})
				})
				if !broke || n > 60 {
					break
				}
			}
		}
	}
}
