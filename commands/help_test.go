package commands_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/commands"
	"darkroom/commands/commandstest"
)

// Help depends only on the line: it is answered without a free slot, without Redis, and after the request's deadline.
func TestHelpNeedsNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		defer r.Commands.Fill()()
		away, end := context.WithCancel(context.WithValue(r.T.Context(), commandstest.AtWork{}, true))
		end()
		r.Flaky.Left.Store(100)
		defer r.Flaky.Left.Store(0)
		for line, says := range map[[2]string]string{
			{"help", ""}: "/order approve K7Q2XM", {"help", " Show  me"}: "/order show K7Q2XM", {"help", "aprove"}: "Did you mean `/order approve`",
			{"aprove", "order1 Lovely work"}: "Did you mean `/order approve`",
		} {
			reply, err := r.Handle(away, r.TypedAs(line[0], line[1]))
			require.NoError(r.T, err)
			require.Contains(r.T, commandstest.Text(reply.Body), says, line)
		}
	})
}

// The acknowledgement has the same answer as a job of an earlier version.
func TestHelpIsTheSameAtOnceAndLater(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		for _, args := range []string{"", "approve", "reference", "nothing of the kind"} {
			reply, err := r.Handle(r.T.Context(), r.TypedAs("help", args))
			require.NoError(r.T, err)
			require.NotNil(r.T, reply.Body)
			atOnce, told := r.Screen.LastMessage(), len(r.Screen.AllMessages())
			q := r.TypedAs("help", args)
			q.ID += args
			require.NoError(r.T, r.Commands.Help(r.T.Context(), q))
			require.Len(r.T, r.Screen.AllMessages(), told+1)
			require.Equal(r.T, r.Screen.LastMessage(), atOnce, args)
		}
	})
}

func TestHelpAllocatesNextToNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		router := bot.NewRouter(nil)
		r.Commands.Routes(router)
		q := bot.Request{Kind: bot.KindCommand, Name: commands.Slash, Verb: "help", Args: "approve", Text: "help approve"}
		require.LessOrEqual(r.T, testing.AllocsPerRun(100, func() { router.Handle(context.Background(), q) }), 3.0)
	})
}
