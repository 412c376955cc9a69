package stories

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
)

// Ben looks first and finds one image good; Maria finds two more good and says what is wrong with the last.
// The second round asks only about that one, and then Approve lights up.
func TestWhatIsGoodIsRememberedOverRounds(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.shortWaits()
	maria, ben := w.person("maria"), w.person("ben")
	order := w.placeImages(maria, "Good ones", 4)
	w.deliver(ben, order.ID)
	require.True(t, w.lit("Good ones", "Ready for review"), "as long as nobody judged any image")

	ben.PressOn("Ready for review", "Request Changes")
	ben.SeesModal("Request changes")
	ben.Submit()
	ben.SeesError("All other photos", "tick what is good")
	ben.Check("Photo 1 is good")
	ben.Submit()
	ben.Sees("1 of 4 is good. Nothing was sent to the editor.")
	ben.CloseModal()
	maria.SeesInThread("Good ones", "1 of 4 good")
	require.False(t, w.lit("Good ones", "Ready for review"), "some are good, and others are not")

	maria.PressOn("Ready for review", "Request Changes")
	maria.SeesModal("Request changes")
	maria.SeesValue("Photo 1 is good", "Photo 1 is good")
	maria.Check("Photo 2 is good")
	maria.Check("Photo 3 is good")
	maria.Fill(w.label(3), "Softer.")
	maria.Submit()
	maria.SeesError(w.label(3), "is ticked as good and has instructions")
	maria.Fill(w.label(3), "")
	maria.Fill("All other photos", "Straighten it.")
	maria.Submit()
	maria.Sees("Changes requested")
	maria.CloseModal()
	require.Len(t, w.order().Revisions, 1)
	require.Equal(t, map[string][]string{w.order().Edited[3].ID: {"Straighten it."}}, w.order().Revisions[0], "what is good is not changed")
	maria.SeesInThread("Good ones", "3 photos are good and do not change.")

	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("round 2")
	maria.SeesInThread("Good ones", "3 of 4 good")
	maria.PressOn("round 2", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.Sees("is not marked good yet. Approve anyway?")
	maria.CloseModal()
	maria.PressOn("round 2", "Request Changes")
	maria.SeesModal("Request changes")
	for n := 1; n <= 3; n++ {
		good := fmt.Sprintf("Photo %d is good", n)
		maria.SeesValue(good, good)
	}
	maria.SeesValue("Photo 4 is good", "")
	maria.Check("Photo 4 is good")
	maria.Submit()
	maria.Sees("All 4 are good. Nothing was sent to the editor.")
	maria.CloseModal()
	maria.SeesInThread("Good ones", "All 4 are good.")
	require.True(t, w.lit("Good ones", "round 2"), "Approve is what is left to do")
	require.Len(t, w.order().Revisions, 1)

	maria.PressOn("round 2", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.Sees("All 4 are good.")
	maria.Submit()
	maria.Sees("The order is closed")
	require.Equal(t, 1, w.order().Approvals)
}

// placeImages orders so many images.
func (w *world) placeImages(who *person.T, project string, images int) photos.Order {
	w.t.Helper()
	var addresses []string
	for i := range images {
		addresses = append(addresses, fmt.Sprintf("%s?shot=%d", w.Samples()[i%3], i+1))
	}
	who.Type("/order new")
	who.SeesModal("New photo order")
	who.Fill("Photo links", strings.Join(addresses, "\n"))
	who.Fill("Instructions", "Brighten the sky.")
	who.Fill("Project name", project)
	who.Submit()
	who.Sees("Order placed")
	who.CloseModal()
	who.SeesInThread(project, "Placed")
	return w.order()
}

// lit says whether Approve is what most people want, in the newest reply that holds the text.
func (w *world) lit(card, text string) bool {
	w.t.Helper()
	lit := false
	for _, m := range w.thread(card) {
		blocks, err := json.Marshal(m.Blocks)
		require.NoError(w.t, err)
		if strings.Contains(m.Text, text) && strings.Contains(string(blocks), `"order:approve-shown"`) {
			lit = strings.Contains(string(blocks), `"style":"primary"`)
		}
	}
	return lit
}
