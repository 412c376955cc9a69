package bot_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
)

// The person is notified of a button that was not answered in time. The deadline for the answer is then
// over, and that for the notification has just begun.
func TestAButtonThatWasLateIsToldWithTimeOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := make(chan error, 1)
		r := bot.NewRouter(nil)
		r.Unconfirmed(func(ctx context.Context, _ bot.Request, _ string) {
			<-time.After(time.Second)
			told <- ctx.Err()
		})
		r.Action("order:approve", func(ctx context.Context, _ bot.Request) (bot.Reply, error) {
			<-ctx.Done()
			return bot.Ack(), ctx.Err()
		})
		require.Equal(t, bot.Ack(), r.Handle(t.Context(), bot.Request{Kind: bot.KindAction, Name: "order:approve", User: "U1"}))
		require.NoError(t, <-told)
	})
}
