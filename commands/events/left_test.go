package events_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/commands/commandstest"
)

func TestWhoLeavesAChannelSeesItsOrdersInTheirHomeNoMore(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		leaves := func(event string) error {
			q := bot.Request{Kind: bot.KindEvent, Name: "member_left_channel", ID: "Ev" + event, Team: "T1", Event: json.RawMessage(event)}
			reply, err := r.Handle(r.T.Context(), q)
			require.Nil(r.T, reply.Body)
			r.Settle(time.Second)
			return err
		}
		r.SetUpWorkspace()
		r.Owns("order001", "CWEDDING", "maria", nil)
		require.Contains(r.T, r.Comes("maria"), "Project order001")
		r.Screen.SetChannels(map[string]commandstest.Channel{"CWEDDING": {Private: true, Members: []string{"boss"}}})
		require.NoError(r.T, leaves(`{"user":"","channel":"CWEDDING"}`))
		require.Contains(r.T, r.Home("maria"), "Project order001", "nobody left")
		require.NoError(r.T, leaves(`{"user":"maria","channel":"CWEDDING"}`))
		require.NotContains(r.T, r.Home("maria"), "Project order001")
		require.NoError(r.T, leaves(`{"user":"tom","channel":"CWEDDING"}`))
		require.Empty(r.T, r.Home("tom"), "who never opened it has none")
		require.Error(r.T, leaves(`{`))
	})
}
