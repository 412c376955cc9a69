package commands_test

import (
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

func TestSendToEditor(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InThread()
		r.Shortcut(commands.ShortcutSend, slack.Msg{User: "peter", Text: "Peter &amp; I like it", Timestamp: "200.1", ThreadTimestamp: commandstest.CardTS})
		require.Equal(r.T, []string{"Peter & I like it"}, r.Conversation())
		require.Equal(r.T, "maria", r.Events(order.EventMessage)[0].Actor)
		require.Equal(r.T, []string{"200.1 white_check_mark"}, r.Screen.Marks)

		r.Shortcut(commands.ShortcutSend, slack.Msg{User: "peter", Text: "Peter &amp; I like it", Timestamp: "200.1", ThreadTimestamp: commandstest.CardTS})
		require.Len(r.T, r.Conversation(), 1)
		require.Contains(r.T, r.Screen.LastMessage(), "has this message already")
		require.Len(r.T, r.Screen.Marks, 1)

		r.Shortcut(commands.ShortcutSend, slack.Msg{User: "peter", Text: "From <@PETER>", Timestamp: "9.1"})
		require.Contains(r.T, r.Screen.Modal(), "From @someone")
		reply := r.Fills(nil)
		require.Contains(r.T, commandstest.Text(reply.Body), "Choose the order")
		r.Fills(map[string]string{"Order": cards.Value(id, 0)})
		require.Equal(r.T, []string{"Peter & I like it", "From @someone"}, r.Conversation())

		r.Shortcut(commands.ShortcutSend, slack.Msg{User: "UDARKROOM", BotID: "BDARKROOM", Text: "Ready for review", Timestamp: commandstest.CardTS})
		require.NotContains(r.T, r.Screen.Modal(), "Ready for review", "our own posts never echo")
		require.Contains(r.T, r.Screen.Modal(), "To the editor of")
	})
}
