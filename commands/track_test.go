package commands_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/store"
)

func TestAnOperatorLetsAChannelFollowAnOrderMadeElsewhere(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Service.Set(func(f *commandstest.Service) { f.Add("made elsewhere") })
		require.Contains(r.T, r.Says("maria", "C1", "track order1"), "Only operators")
		require.Contains(r.T, r.Says("boss", "D1", "track order1"), "Type `/order track` in that channel")
		require.Contains(r.T, r.Says("boss", "C1", "track"), "order track 84521")
		require.Contains(r.T, r.Says("boss", "CATTIC", "track order1"), "archived")
		require.Contains(r.T, r.Says("chief", "CWEDDING", "track order1"), "not a member")
		require.Contains(r.T, r.Says("boss", "C1", "track `order1`"), "tracks *made elsewhere* now")
		t := r.Stored("order1")
		require.True(r.T, t.Adopted)
		require.Equal(r.T, store.Owner{Team: "T1", Channel: "C1", Requester: "boss", Generation: 1}, t.Owner)
		require.Contains(r.T, r.Says("boss", "CPUBLIC", "track order1"), "already tracked, in <#C1>")
		require.Equal(r.T, "C1", r.Stored("order1").Owner.Channel)
	})
}

func TestTrackingTellsNoPrivateChannel(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "CWEDDING", "maria", nil)
		r.Assemble("tom")
		hidden := r.Says("tom", "C1", "track order001")
		require.Contains(r.T, hidden, "I cannot track")
		require.Equal(r.T, replace(hidden, "order001"), replace(r.Says("tom", "C1", "track order999"), "order999"))
		require.Equal(r.T, "CWEDDING", r.Stored("order001").Owner.Channel)
	})
}

func TestAnOutageWhileTrackingIsTold(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Service.Set(func(f *commandstest.Service) { f.Add("made elsewhere"); f.Down = true })
		require.Contains(r.T, r.Says("boss", "C1", "track order1"), "cannot be reached")
	})
}

func TestAnOperatorEndsAChannelsOwnership(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		require.Contains(r.T, r.Says("maria", "C1", "untrack order001"), "Only operators")
		require.Contains(r.T, r.Says("boss", "C1", "untrack"), "One fits", "nobody stops following by accident")
		require.False(r.T, r.Stored("order001").Untracked)
		done := r.Says("boss", "C1", "untrack order001")
		require.True(r.T, commandstest.ContainsAll(done, "no longer tracks", "/order track order001"), done)
		require.True(r.T, r.Stored("order001").Untracked)
		require.Contains(r.T, r.Says("boss", "C1", "untrack order001"), "There is no order")
		require.Contains(r.T, r.Says("maria", "C1", "list"), "No orders yet")
		require.Contains(r.T, r.Says("boss", "CPUBLIC", "track order001"), "tracks *Project order001* now")
		require.Equal(r.T, "CPUBLIC", r.Stored("order001").Owner.Channel)
		require.Contains(r.T, r.Does(bot.Request{Name: cards.ActionPick + "untrack", Value: "order001:r0", User: "boss"}), "no longer tracks", "picked")
	})
}

func TestAnOperatorWhoIsAGuestEndsNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Assemble("ines")
		r.Owns("order001", "C1", "maria", nil)
		require.Contains(r.T, r.Says("ines", "C1", "untrack order001"), "Guests")
		require.Contains(r.T, r.Says("ines", "C1", "track order999"), "Guests")
		require.False(r.T, r.Stored("order001").Untracked)
	})
}
