package stories

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// Maria's photos lie where the app is not. It says so before she fills in anything, and
// works once it is there.
func TestPhotosWhereTheAppIsNotAreNamedBeforeTheFormIsFilledIn(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.Workspace.Invite("#weddings", "darkroom")
	maria.Goto("#weddings")
	w.place(maria, "Open")
	w.Workspace.Kick("#weddings", "darkroom")
	maria.Share("From the wedding", w.picture(0), w.picture(1))
	maria.MessageShortcut("From the wedding", "Order these photos")
	maria.SeesModal("New photo order")
	maria.Sees("These files were not added")
	maria.Sees("Invite me there")
	maria.Sees("I am not in the conversation of beach.jpg, house.jpg")
	maria.CloseModal()

	maria.MessageShortcut("From the wedding", "Add as reference")
	maria.SeesModal("Add reference images")
	maria.Sees("beach.jpg: I am not in the conversation that it was posted in")
	maria.Sees("invite me there")
	maria.CloseModal()

	w.Workspace.Invite("#weddings", "darkroom")
	maria.MessageShortcut("From the wedding", "Order these photos")
	maria.Sees("2 photos in this order")
	maria.DoesNotSee("I cannot read")
	maria.Fill("Project name", "Invited")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	invited := w.called("Invited")
	require.Len(t, invited.Images, 2)
	require.Equal(t, w.picture(0).Content, w.get(invited.Images[0].URL, http.StatusOK))
}

// Tom is of another organisation: Slack tells of his photo no more than to ask about it.
func TestAPartnersPhotoInASharedChannelIsOrdered(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.person("tom").Share("Our beach", w.picture(0))
	maria := w.person("maria")
	maria.MessageShortcut("Our beach", "Order these photos")
	maria.SeesModal("New photo order")
	maria.Sees("1 · beach.jpg")
	maria.Sees("1 photo in this order")
	maria.Fill("Instructions", "Brighter.") // else the card says the words of Tom's message, too
	maria.Fill("Project name", "With a partner")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	require.Equal(t, w.picture(0).Content, w.get(w.order().Images[0].URL, http.StatusOK))
	maria.MessageShortcut("Our beach", "Add as reference")
	maria.SeesModal("Add reference images")
	maria.Sees("• beach.jpg")
	maria.CloseModal()
}

// Slack's file objects are as odd as they have been seen.
func TestOddFilesAreOrderedSentAndRelayed(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Workspace.SetOddFiles(true)
	maria := w.person("maria")
	maria.Share("Please brighten", w.picture(0))
	maria.MessageShortcut("Please brighten", "Order these photos")
	maria.SeesModal("New photo order")
	maria.Sees("1 · beach.jpg")
	maria.Press("Add Photos")
	maria.Upload("Photos", w.picture(1))
	maria.Fill("Project name", "Odd files")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	maria.SeesInThread("Odd files", "Placed")
	require.Len(t, w.order().Images, 2)

	maria.OpenThread("Odd files")
	maria.Share("@darkroom like this one", w.picture(2))
	maria.SeesInThread("Odd files", "Message sent")
	maria.Goto("@darkroom")
	maria.Press("Add Reference Images")
	maria.SeesModal("Add reference images")
	maria.Sees("• cake.jpg")
	maria.Submit()
	maria.Sees("1 reference photo")
	maria.CloseModal()
}

// What is chosen in a file field may be told with the submission alone, and be gone after
// an update of the form.
func TestPhotosChosenInAFormAreNeverLostInSilence(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Workspace.HideChosenFiles = true })
	maria := w.person("maria")
	w.Photos.Misbehave(photos.Balance, photos.Slow(2*time.Second), 1) // the credits come late
	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.Fill("Project name", "Chosen early")
	maria.Upload("Photos", w.picture(0))
	maria.Fill("Instructions", "Brighten the sky.")
	require.Eventually(t, func() bool {
		return slices.ContainsFunc(w.Workspace.Requests(), func(r workspace.Request) bool { return r.Method == "views.update" && r.Status != 0 })
	}, patience, tick, "the form is as it will be")
	maria.Check("Add more photos") // the form changes, and says so
	maria.Sees("If photos you chose are gone, choose them again.")
	maria.SeesButton("Next")
	maria.Upload("Photos", w.picture(0))
	maria.Press("Next")
	maria.Sees("1 photo in this order")
	maria.DoesNotSee("choose them again")

	maria.Upload("Photos", w.picture(1))
	maria.Choose("Remove a photo", "1 · beach.jpg")
	maria.Sees("If photos you chose are gone, choose them again.")
	maria.Upload("Photos", w.picture(1))
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	require.Len(t, w.order().Images, 1)
	require.Contains(t, w.order().Images[0].URL, "house.jpg")
}

// A photo that Slack's field does not take has another way in.
func TestAPhotoTooLargeForTheFieldGoesByTheChannel(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	raw := workspace.Upload{Name: "large.jpg", Content: append(w.picture(0).Content, make([]byte, 11<<20)...)}
	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.Sees("10 MB each")
	maria.CloseModal()
	maria.Share("The large one", raw)
	maria.MessageShortcut("The large one", "Order these photos")
	maria.Sees("1 photo in this order")
	maria.Fill("Project name", "Large")
	maria.Submit()
	maria.Sees("Order placed")
	require.Len(t, w.order().Images, 1)
}
