package bot_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
)

// An observer gets each request once, with its outcome and duration.
func TestEachAnsweredRequestIsObservedOnce(t *testing.T) {
	for name, test := range map[string]struct {
		handler bot.HandlerFunc
		want    string
		took    time.Duration
	}{
		"answered": {func(context.Context, bot.Request) (bot.Reply, error) {
			<-time.After(time.Second)
			return bot.Ack(), nil
		}, bot.OutcomeOK, time.Second},
		"late": {func(context.Context, bot.Request) (bot.Reply, error) {
			<-time.After(time.Minute)
			return bot.Ack(), nil
		}, bot.OutcomeLate, 2500 * time.Millisecond},
		"late and says so": {func(ctx context.Context, _ bot.Request) (bot.Reply, error) {
			<-ctx.Done()
			return bot.Ack(), ctx.Err()
		}, bot.OutcomeLate, 2500 * time.Millisecond},
		"failed":   {func(context.Context, bot.Request) (bot.Reply, error) { return bot.Reply{}, errors.New("no") }, bot.OutcomeFailed, 0},
		"panicked": {func(context.Context, bot.Request) (bot.Reply, error) { panic("no") }, bot.OutcomeFailed, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var seen []bot.Answered
				r := bot.NewRouter(nil)
				r.Observe(func(a bot.Answered) { seen = append(seen, a) })
				r.Command("/order", test.handler)
				r.Handle(t.Context(), bot.Request{Kind: bot.KindCommand, Name: "/order", Verb: "list"})
				require.NoError(t, r.Wait(t.Context())) // the late one, too
				require.Equal(t, []bot.Answered{{Kind: bot.KindCommand, Name: "/order", Verb: "list", Outcome: test.want, Took: test.took}}, seen)
			})
		})
	}
}
