package commands

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/store"
)

// An operator follows the missing order in the wrong channel, and stops following it. It is
// at the service all the same: whoever asks for it again gets that one.
func TestAnOrderThatWasUntrackedIsNotSentAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		r.givenUp()
		r.service.set(func(f *forgetful) { f.add("Smith wedding [" + r.draft().Reference + "]") })
		r.houses()
		r.says("boss", "C1", "track order1")
		r.untracks("order1")
		r.presses(cards.ActionRetry, r.draft().ID)
		r.settle(5 * time.Minute)
		creates, _ := r.service.sent()
		require.Equal(r.t, 1, creates)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
		require.Equal(r.t, "order1", r.draft().OrderID)
		t := r.stored("order1")
		require.False(r.t, t.Untracked, "its channel follows it")
		require.Equal(r.t, store.Owner{Team: "T1", Channel: "C1", Requester: "maria", Generation: 2}, t.Owner)
		require.Equal(r.t, r.draft().Reference, t.Reference)
	})
}

// Nobody asked for it again: what an operator stopped following stays so.
func TestTheWatchLeavesAloneWhatWasUntracked(t *testing.T) {
	bubble(t, func(r *rig) {
		r.givenUp()
		r.service.set(func(f *forgetful) { f.add("Smith wedding [" + r.draft().Reference + "]") })
		r.houses()
		r.says("boss", "C1", "track order1")
		r.untracks("order1")
		r.settle(25 * time.Hour)
		require.True(r.t, r.stored("order1").Untracked)
		require.Equal(r.t, store.DraftUnknown, r.draft().State)
	})
}
