package commands

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/store"
	"darkroom/store/queue"
)

func TestOnlyTheAppsOwnComingAnnouncesWhatAChannelLacks(t *testing.T) {
	bubble(t, func(r *rig) {
		r.owns("o1", "C1", "maria", nil)
		joins := func(user, event string) (announced bool) {
			r.t.Helper()
			reply, err := r.handle(r.t.Context(), bot.Request{
				Kind: bot.KindEvent, Name: "member_joined_channel", ID: event, Team: "T1", Event: json.RawMessage(`{"user":"` + user + `","channel":"C1"}`),
			})
			require.NoError(r.t, err)
			require.Equal(r.t, bot.Ack(), reply)
			r.settle(time.Second)
			added, err := r.queue.Put(r.t.Context(), queue.Job{
				ID: "announce:o1:g1:joined:" + event, Lane: "test", Kind: store.AnnounceKind, Body: json.RawMessage(`{}`),
			})
			require.NoError(r.t, err)
			return !added
		}
		require.False(r.t, joins("ben", "Ev1"))
		require.True(r.t, joins("UDARKROOM", "Ev2"))
		require.False(r.t, joins("", "Ev3"))
		_, err := r.handle(r.t.Context(), bot.Request{Kind: bot.KindEvent, Name: "member_joined_channel", Event: json.RawMessage(`{`)})
		require.Error(r.t, err)
	})
}
