package stories

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func TestChangesAreRequestedOnOneImageAndThenApproved(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Summer catalogue")
	w.deliver(ben, order.ID)

	ben.PressOn("Ready for review", "Request Changes")
	ben.SeesModal("Request changes")
	ben.SeesThumbnails(2)
	ben.Submit()
	ben.SeesError("All other photos", "at least one")
	ben.Fill("1 · beach.jpg", "Less yellow.\nKeep the shadow.")
	ben.Submit()
	ben.Sees("Changes requested")
	ben.CloseModal()
	maria.SeesInThread("Summer catalogue", "Changes requested by Ben")
	maria.SeesInThread("Summer catalogue", "Less yellow.")
	maria.SeesNoButton("Approve")
	require.Len(t, w.order().Revisions, 1)
	require.Equal(t, []string{"Less yellow.", "Keep the shadow."}, only(t, w.order().Revisions[0]))

	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("round 2")
	approveOn(maria, "round 2", "Summer catalogue")
	ben.SeesInThread("Summer catalogue", "Approved by Maria")
	require.Equal(t, 1, w.order().Approvals)
}

func only(t *testing.T, words map[string][]string) []string {
	t.Helper()
	require.Len(t, words, 1, "one image")
	for _, lines := range words {
		return lines
	}
	return nil
}

func TestChangesWhoseAnswerIsLostAreRequestedOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]photos.Fault{
		"reset after commit": photos.ResetAfterCommit(),
		"500 after commit":   photos.Error500AfterCommit(),
		"reset before":       photos.ResetBeforeCommit(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			w.shortWaits()
			maria := w.person("maria")
			order := w.place(maria, "Lost answer")
			w.deliver(maria, order.ID)
			w.Photos.Misbehave(photos.Revise, fault, 1)
			maria.PressOn("Ready for review", "Request Changes")
			maria.SeesModal("Request changes")
			maria.Fill("2 · house.jpg", "Straighten it.")
			maria.Submit()
			// A request that never arrived is sent again once it can no longer be under way.
			require.Eventually(t, func() bool { return len(w.order().Revisions) > 0 }, time.Minute+patience, tick)
			maria.SeesInThread("Lost answer", "Changes requested by Maria")
			require.Len(t, w.order().Revisions, 1)
			require.Equal(t, 1, w.countInThread("Lost answer", "Changes requested"))
		})
	}
}

// label is what the nth delivered image is called everywhere.
func (w *world) label(n int) string {
	w.t.Helper()
	edited := w.order().Edited
	require.GreaterOrEqual(w.t, len(edited), n)
	return fmt.Sprintf("%d · %s", n, edited[n-1].Name)
}
