package commands

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

func (r *rig) stored(id string) store.Tracked {
	r.t.Helper()
	t, err := r.store.Order(r.t.Context(), id)
	require.NoError(r.t, err)
	return t
}

func TestAnOperatorLetsAChannelFollowAnOrderMadeElsewhere(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.service.set(func(f *forgetful) { f.add("made elsewhere") })
		require.Contains(r.t, r.says("maria", "C1", "track order1"), "Only operators")
		require.Contains(r.t, r.says("boss", "D1", "track order1"), "in the channel that should follow")
		require.Contains(r.t, r.says("boss", "C1", "track"), "order track 84521")
		require.Contains(r.t, r.says("boss", "CATTIC", "track order1"), "archived")
		require.Contains(r.t, r.says("chief", "CWEDDING", "track order1"), "not a member")
		require.Contains(r.t, r.says("boss", "C1", "track `order1`"), "follows *made elsewhere* now")
		t := r.stored("order1")
		require.True(r.t, t.Adopted)
		require.Equal(r.t, store.Owner{Team: "T1", Channel: "C1", Requester: "boss", Generation: 1}, t.Owner)
		require.Contains(r.t, r.says("boss", "CPUBLIC", "track order1"), "followed already, by <#C1>")
		require.Equal(r.t, "C1", r.stored("order1").Owner.Channel)
	})
}

func TestTrackingTellsNoPrivateChannel(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "CWEDDING", "maria", nil)
		r.assemble("tom")
		hidden := r.says("tom", "C1", "track order001")
		require.Contains(r.t, hidden, "I cannot follow")
		require.Equal(r.t, replace(hidden, "order001"), replace(r.says("tom", "C1", "track order999"), "order999"))
		require.Equal(r.t, "CWEDDING", r.stored("order001").Owner.Channel)
	})
}

func TestAnOutageWhileTrackingIsTold(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.service.set(func(f *forgetful) { f.add("made elsewhere"); f.down = true })
		require.Contains(r.t, r.says("boss", "C1", "track order1"), "cannot be reached")
	})
}

func TestAnOperatorEndsAChannelsOwnership(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", nil)
		require.Contains(r.t, r.says("maria", "C1", "untrack order001"), "Only operators")
		require.Contains(r.t, r.says("boss", "C1", "untrack"), "One fits", "nobody stops following by accident")
		require.False(r.t, r.stored("order001").Untracked)
		done := r.says("boss", "C1", "untrack order001")
		require.True(r.t, containsAll(done, "no longer follows", "/order track order001"), done)
		require.True(r.t, r.stored("order001").Untracked)
		require.Contains(r.t, r.says("boss", "C1", "untrack order001"), "There is no order")
		require.Contains(r.t, r.says("maria", "C1", "list"), "None yet")
		require.Contains(r.t, r.says("boss", "CPUBLIC", "track order001"), "follows *Project order001* now")
		require.Equal(r.t, "CPUBLIC", r.stored("order001").Owner.Channel)
		require.Contains(r.t, r.does(bot.Request{Name: cards.ActionPick + "untrack", Value: "order001:r0", User: "boss"}), "no longer follows", "picked")
	})
}

func TestAnOperatorWhoIsAGuestEndsNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.assemble("ines")
		r.owns("order001", "C1", "maria", nil)
		require.Contains(r.t, r.says("ines", "C1", "untrack order001"), "Guests")
		require.Contains(r.t, r.says("ines", "C1", "track order999"), "Guests")
		require.False(r.t, r.stored("order001").Untracked)
	})
}
