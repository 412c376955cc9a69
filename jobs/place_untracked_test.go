package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/store"
)

// An operator tracks the missing order in the wrong channel, and untracks it. Try again gets that order, which is still
// at the service.
func TestAnOrderThatWasUntrackedIsNotSentAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
		r.SetUpWorkspace()
		r.Says("boss", "C1", "track order1")
		untracks(r, "order1")
		r.Presses(place.ActionRetry, r.Draft().ID)
		r.Settle(5 * time.Minute)
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 1, creates)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Equal(r.T, "order1", r.Draft().OrderID)
		t := r.Stored("order1")
		require.False(r.T, t.Untracked, "its channel follows it")
		require.Equal(r.T, store.Owner{Team: "T1", Channel: "C1", Requester: "maria", Generation: 2}, t.Owner)
		require.Equal(r.T, r.Draft().Reference, t.Reference)
	})
}

// Without a Try again, an order that an operator untracked stays untracked.
func TestTheWatchLeavesAloneWhatWasUntracked(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
		r.SetUpWorkspace()
		r.Says("boss", "C1", "track order1")
		untracks(r, "order1")
		r.Settle(25 * time.Hour)
		require.True(r.T, r.Stored("order1").Untracked)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
	})
}
