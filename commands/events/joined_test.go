package events_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/commands/commandstest"
	"darkroom/store"
	"darkroom/store/queue"
)

func TestOnlyTheAppsOwnComingAnnouncesWhatAChannelLacks(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Owns("o1", "C1", "maria", nil)
		joins := func(user, event string) (announced bool) {
			r.T.Helper()
			reply, err := r.Handle(r.T.Context(), bot.Request{
				Kind: bot.KindEvent, Name: "member_joined_channel", ID: event, Team: "T1", Event: json.RawMessage(`{"user":"` + user + `","channel":"C1"}`),
			})
			require.NoError(r.T, err)
			require.Equal(r.T, bot.Ack(), reply)
			r.Settle(time.Second)
			added, err := r.Queue.Put(r.T.Context(), queue.Job{
				ID: "announce:o1:g1:joined:" + event, Lane: "test", Kind: store.AnnounceKind, Body: json.RawMessage(`{}`),
			})
			require.NoError(r.T, err)
			return !added
		}
		require.False(r.T, joins("ben", "Ev1"))
		require.True(r.T, joins("UDARKROOM", "Ev2"))
		require.False(r.T, joins("", "Ev3"))
		_, err := r.Handle(r.T.Context(), bot.Request{Kind: bot.KindEvent, Name: "member_joined_channel", Event: json.RawMessage(`{`)})
		require.Error(r.T, err)
	})
}
