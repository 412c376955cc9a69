package commands_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/store"
)

func TestTryAgainAdoptsWhatArrivedMeanwhile(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		r.Service.Lock()
		r.Service.Add("Smith wedding [" + r.Draft().Reference + "]")
		r.Service.Unlock()
		r.Presses(place.ActionRetry, r.Draft().ID)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 1, creates)
	})
}

func TestTryAgainSendsOnceHoweverOftenItIsPressed(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.GivenUp()
		for range 3 {
			r.Presses(place.ActionRetry, id)
		}
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 2, creates)
	})
}

func TestADiscardedDraftIsNotSentAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.GivenUp()
		r.Presses(place.ActionDiscard, id)
		r.Presses(place.ActionRetry, id)
		require.Equal(r.T, store.DraftDiscarded, r.Draft().State)
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 1, creates)
	})
}
