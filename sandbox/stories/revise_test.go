package stories

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func TestChangesAreRequestedOnOneImageAndThenApproved(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, w *world) {
		maria, ben := w.person("maria"), w.person("ben")
		order := w.place(maria, "Summer catalogue")
		w.deliver(ben, order.ID)

		ben.PressOn("Ready for review", "Request changes")
		ben.SeesModal("Request changes")
		ben.SeesThumbnails(2)
		ben.Submit()
		ben.SeesError("All other images", "at least one")
		ben.Fill("1 · beach.jpg", "Less yellow.\nKeep the shadow.")
		ben.Submit()
		ben.Sees("Changes requested")
		ben.CloseModal()
		maria.SeesInThread("Summer catalogue", "Changes requested by @Ben")
		maria.SeesInThread("Summer catalogue", "Less yellow.")
		maria.SeesNoButton("Approve")
		require.Len(t, w.order().Revisions, 1)
		require.Equal(t, []string{"Less yellow.", "Keep the shadow."}, only(t, w.order().Revisions[0]))

		require.NoError(t, w.Photos.Deliver(order.ID))
		maria.SeesBroadcast("round 2")
		maria.PressOn("round 2", "Approve")
		maria.SeesModal("Approve order")
		maria.Submit()
		maria.Sees("The order is closed")
		maria.CloseModal()
		ben.SeesInThread("Summer catalogue", "Approved by @Maria")
		require.Equal(t, 1, w.order().Approvals)
	})
}

func only(t *testing.T, words map[string][]string) []string {
	t.Helper()
	require.Len(t, words, 1, "one image")
	for _, lines := range words {
		return lines
	}
	return nil
}

func TestTwoPeopleRequestDifferentChangesAtOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Two minds")
	w.deliver(maria, order.ID)
	maria.PressOn("Ready for review", "Request changes")
	ben.PressOn("Ready for review", "Request changes")
	maria.SeesModal("Request changes")
	ben.SeesModal("Request changes")
	maria.Fill("All other images", "Make everything warmer.")
	ben.Fill("All other images", "Make everything colder.")
	maria.Submit()
	maria.Sees("Changes requested")
	ben.Submit()

	ben.Sees("@Maria")
	ben.Sees("Make everything warmer.")
	ben.Sees("Make everything colder.")
	require.Len(t, w.order().Revisions, 1, "one of the two was sent")

	ben.Press("Message the editor") // Ben's words go to the editor instead
	ben.SeesModal("Message the editor")
	ben.Sees("All other images: Make everything colder.")
	ben.Submit()
	maria.CloseModal()
	maria.SeesInThread("Two minds", "Message sent by @Ben")
	maria.SeesInThread("Two minds", "Make everything colder.")
}

func TestAnApprovalOfWhatHasChangedMeanwhileIsNotSent(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Moved on")
	w.deliver(maria, order.ID)
	maria.PressOn("Ready for review", "Approve")
	maria.SeesModal("Approve order")
	ben.Type("/order revise " + order.ID + " Brighter, please.")
	ben.SeesModal("Request changes")
	ben.SeesValue("All other images", "Brighter, please.")
	ben.Submit()
	ben.Sees("Changes requested")
	require.NoError(t, w.Photos.Deliver(order.ID))
	ben.CloseModal()
	ben.SeesBroadcast("round 2")
	maria.Fill("Feedback", "Lovely.")
	maria.Submit()
	maria.Sees("has a newer one")
	maria.SeesValue("Feedback", "Lovely.")
	require.Zero(t, w.order().Approvals)
	maria.Submit()
	maria.Sees("The order is closed")
	require.Equal(t, []string{"Lovely."}, w.order().Feedback)
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
			maria.PressOn("Ready for review", "Request changes")
			maria.SeesModal("Request changes")
			maria.Fill("2 · house.jpg", "Straighten it.")
			maria.Submit()
			// A request that never arrived is sent again once it can no longer be under way.
			require.Eventually(t, func() bool { return len(w.order().Revisions) > 0 }, time.Minute+patience, tick)
			maria.SeesInThread("Lost answer", "Changes requested by @Maria")
			require.Len(t, w.order().Revisions, 1)
			require.Equal(t, 1, w.countInThread("Lost answer", "Changes requested"))
		})
	}
}

func TestOfFiftyImagesSomeAreChosen(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, w *world) {
		maria := w.person("maria")
		var addresses []string
		for i := range 50 {
			addresses = append(addresses, fmt.Sprintf("%s?shot=%d", w.Samples()[i%3], i+1))
		}
		maria.Type("/order new")
		maria.SeesModal("New photo order")
		maria.Press("Add web addresses")
		maria.Fill("Image URLs", strings.Join(addresses, "\n"))
		maria.Fill("Instructions", "Brighten the sky.")
		maria.Fill("Project name", "A whole day")
		maria.Submit()
		maria.Sees("Order placed")
		maria.CloseModal()
		maria.SeesInThread("A whole day", "Placed")
		order := w.order()
		require.Len(t, order.Images, 50)
		w.deliver(maria, order.ID)

		maria.PressOn("Ready for review", "Request changes")
		maria.SeesModal("Request changes")
		maria.Fill("For all images", "Warmer.")
		first, second := w.label(1), w.label(9)
		maria.Choose("Which images?", first, second)
		maria.Fill(first, "Less yellow.")
		maria.Fill(second, "Straighten it.")
		maria.SeesThumbnails(2 + 50) // those of the boxes, and the sheet to choose from
		maria.Choose("Which images?", first)
		maria.Sees("are kept and not sent")
		maria.Choose("Which images?", first, second)
		maria.SeesValue(second, "Straighten it.")
		maria.SeesValue("All other images", "Warmer.")
		require.Empty(t, w.order().Revisions, "choosing sends nothing")
		// The service does not know an image any more: its reason is shown beside it.
		ninth := w.order().Edited[8].ID
		w.Photos.Misbehave(photos.Revise, photos.Refuses("image ID not found: "+ninth), 1)
		maria.Submit()
		maria.Sees("leaves this image out now")
		maria.SeesValue(second, "Straighten it.")
		// And then it is gone altogether: nobody's words vanish with it.
		require.NoError(t, w.Photos.LoseImage(order.ID, ninth))
		maria.Submit()
		maria.Sees("Your words for images that are no longer there are sent to nobody")
		maria.Sees("Straighten it.")
		require.Empty(t, w.order().Revisions)
		maria.Submit()
		maria.Sees("Changes requested: A whole day")
		require.Len(t, w.order().Revisions, 1)
		asked := w.order().Revisions[0]
		require.Len(t, asked, 49)
		require.Equal(t, []string{"Less yellow."}, asked[w.order().Edited[0].ID])
	})
}

// label is what the nth delivered image is called everywhere.
func (w *world) label(n int) string {
	w.t.Helper()
	edited := w.order().Edited
	require.GreaterOrEqual(w.t, len(edited), n)
	return fmt.Sprintf("%d · %s", n, edited[n-1].Name)
}
