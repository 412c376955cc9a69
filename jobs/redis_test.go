package jobs_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
)

// Wherever the connection to Redis breaks during a job, its work is done once and its person is notified.
func TestABrokenConnectionToRedisCostsNothing(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]struct{ before, act, after func(r *commandstest.Rig) }{
		"placing": {
			before: func(r *commandstest.Rig) { r.Types("new") },
			act:    func(r *commandstest.Rig) { r.Submits() },
			after: func(r *commandstest.Rig) {
				creates, _ := r.Service.Sent()
				if r.Draft().State == store.DraftUnknown { // it was to be sent: nobody else can know that it was not
					require.Zero(r.T, creates)
					require.Contains(r.T, r.Screen.Modal(), "Try Again")
					return
				}
				require.Equal(r.T, 1, creates)
				require.Equal(r.T, store.DraftPlaced, r.Draft().State)
				require.Contains(r.T, r.Screen.Modal(), "Order placed")
			},
		},
		"approving": {
			before: func(r *commandstest.Rig) { r.Presses(cards.ActionApprove, cards.Value(r.InReview(), 0)) },
			act:    func(r *commandstest.Rig) { r.Approves() },
			after: func(r *commandstest.Rig) {
				_, approves := r.Service.Sent()
				require.Equal(r.T, 1, approves)
				require.Len(r.T, r.Events(order.EventApproved), 1)
				require.Equal(r.T, "maria", r.Events(order.EventApproved)[0].Actor)
				require.Contains(r.T, r.Screen.Modal(), "Approved")
			},
		},
		"relaying": {
			before: func(r *commandstest.Rig) { r.InThread() },
			act: func(r *commandstest.Rig) {
				r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
			},
			after: func(r *commandstest.Rig) {
				require.Equal(r.T, []string{"Softer"}, r.Conversation())
				require.Len(r.T, r.Events(order.EventMessage), 1)
				require.Equal(r.T, []string{"200.1 white_check_mark"}, r.Screen.Marks)
			},
		},
		"a line": {
			before: func(r *commandstest.Rig) { r.InReview() },
			act:    func(r *commandstest.Rig) { r.Types("message order1 Softer") },
			after: func(r *commandstest.Rig) {
				require.Equal(r.T, []string{"Softer"}, r.Conversation())
				require.Contains(r.T, r.Screen.LastMessage(), "Sent to the editor")
			},
		},
		"a button": {
			before: func(r *commandstest.Rig) { r.InReview() },
			act: func(r *commandstest.Rig) {
				r.Click(bot.Request{Kind: bot.KindAction, Name: cards.ActionRevise, Value: cards.Value("order1", 0)})
			},
			after: func(r *commandstest.Rig) { require.Contains(r.T, r.Screen.Modal(), "Request Changes") },
		},
	} {
		for _, after := range []bool{false, true} {
			for n := int64(1); ; n += 5 { // each of them was tried once; a fifth of them is watched
				broke := false
				t.Run(fmt.Sprintf("%s/%v/%d", name, after, n), func(t *testing.T) {
					commandstest.Bubble(t, func(r *commandstest.Rig) {
						story.before(r)
						r.Flaky.After = after
						r.Flaky.Left.Store(n)
						story.act(r)
						r.Settle(4 * time.Minute)
						broke = r.Flaky.Left.Load() == 0
						story.after(r)
						require.NotContains(r.T, strings.Join(r.Screen.DMs, ""), "stopped trying", "no job died")
					})
				})
				if !broke || n > 60 {
					break
				}
			}
		}
	}
}

// beforeCommand is called before each command to Redis; its error is the command's answer.
type beforeCommand func(cmd redis.Cmder) error

func (f beforeCommand) DialHook(next redis.DialHook) redis.DialHook { return next }

func (f beforeCommand) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (f beforeCommand) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if err := f(cmd); err != nil {
			cmd.SetErr(err)
			return err
		}
		return next(ctx, cmd)
	}
}

// mentions reports whether an argument of the command contains the text.
func mentions(cmd redis.Cmder, what string) bool {
	return slices.ContainsFunc(cmd.Args(), func(arg any) bool { return strings.Contains(fmt.Sprint(arg), what) })
}
