package stories

import (
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

// pictures are that many photos of different names on somebody's laptop.
func (w *world) pictures(from, to int) []workspace.Upload {
	w.t.Helper()
	var some []workspace.Upload
	for i := from; i <= to; i++ {
		photo := w.picture(i % len(w.Samples()))
		photo.Name = fmt.Sprintf("photo-%d.jpg", i)
		some = append(some, photo)
	}
	return some
}

func TestAnUnfinishedOrderComesBackWithAllItsPhotos(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Goto("@darkroom")
	maria.Shortcut("New photo order")
	maria.SeesModal("New photo order")
	maria.Choose("Post to", "#shoots")
	maria.Upload("Photos", w.pictures(1, 10)...)
	maria.Fill("Instructions", "Polish the gold.")
	maria.Check("Add more photos")
	maria.Press("Next")
	maria.Sees("10 photos in this order")
	maria.Upload("Photos", w.pictures(11, 13)...)
	maria.Sees("Anyone must be able to open them.")
	// What is wrong is named under its field, and costs no photo.
	maria.Fill("Photo links", "ftp://example.com/a.jpg")
	maria.Submit()
	maria.SeesError("Photo links", "ftp://example.com/a.jpg")
	maria.Fill("Photo links", w.Samples()[0]+"\n"+w.Samples()[0])
	maria.Submit()
	maria.SeesError("Photo links", "more than once")
	var many []string
	for i := range 51 {
		many = append(many, fmt.Sprintf("%s?copy=%d", w.Samples()[0], i))
	}
	maria.Fill("Photo links", strings.Join(many, "\n"))
	maria.Submit()
	maria.SeesError("Photos", "50")
	maria.Fill("Photo links", w.Samples()[0])
	maria.Check("Per photo")
	maria.Press("Next")
	maria.Sees("14 photos")
	maria.CloseModal() // in the middle of the second step
	require.Empty(t, w.Photos.Orders())

	maria.Goto("#shoots")
	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.Sees("You have an unfinished order")
	maria.Press("Continue")
	maria.Sees("13 photos in this order")
	maria.SeesValue("Instructions", "Polish the gold.")
	maria.Choose("Remove a photo", "2 · photo-2.jpg")
	maria.Sees("12 photos in this order")
	maria.DoesNotSee("photo-2.jpg")
	maria.CloseModal() // in the middle of the first

	maria.Type("/order new")
	maria.Sees("You have an unfinished order")
	maria.Press("Continue")
	maria.Sees("12 photos in this order")
	maria.Check("Per photo")
	maria.Submit()
	maria.Fill("3 · photo-4.jpg: Instruction", "Not this bright.")
	maria.Press("Next")
	maria.Sees("Photos 7 to 12 of 13")
	maria.Press("Go Back")
	maria.SeesValue("3 · photo-4.jpg: Instruction", "Not this bright.")
	maria.Press("Next")
	maria.Sees("Photos 7 to 12 of 13")
	maria.Press("Next")
	maria.Sees("Photos 13 to 13 of 13")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	order := w.order()
	require.Len(t, order.Images, 13)
	require.Equal(t, "Not this bright.", order.Images[2].Instruction)

	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.DoesNotSee("unfinished order") // it was taken
	maria.Fill("Instructions", "Never mind.")
	maria.CloseModal()
	maria.Type("/order new")
	maria.Sees("Never mind.")
	maria.Press("Discard")
	maria.Press("Discard") // yes
	maria.DoesNotSee("Never mind.")
	maria.CloseModal()
	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.DoesNotSee("Never mind.")
	maria.CloseModal()
}

func TestWhatIsNoPhotoIsRefusedByItsName(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	page := workspace.Upload{Name: "holiday.tiff", Content: []byte("<!doctype html><script>alert(1)</script>")}
	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.Upload("Photos", w.picture(0), page)
	maria.Fill("Instructions", "Brighten the sky.")
	maria.Fill("Project name", "Not a photo")
	maria.Submit()
	// The service could not have it, and says so of an address that nobody knows.
	maria.Sees("one file is not accessible from our server: 2 · holiday.tiff")
	maria.DoesNotSee("/files/")
	maria.SeesValue("Project name", "Not a photo")
	maria.Choose("Remove a photo", "2 · holiday.tiff")
	maria.Sees("1 photo in this order")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	require.Len(t, w.order().Images, 1)
}

func TestAFormThatCameTooLateIsKeptBehindAButton(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.Workspace.Misbehave("views.open", workspace.Fails("expired_trigger_id"), 1)
	maria.Type("/order new " + w.Samples()[0])
	maria.SeesEphemeral("three seconds")
	maria.SeesNoModal()
	maria.Press("Open the Form")
	maria.SeesModal("New photo order")
	maria.SeesValue("Photo links", w.Samples()[0])
	maria.Fill("Instructions", "Brighten the sky.")
	maria.Fill("Project name", "In time")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	maria.SeesInThread("In time", "Placed")

	for _, line := range []string{"approve", "revise", "cancel", "message", "reference", "settings"} {
		before := len(w.Workspace.Ephemerals("maria"))
		w.Workspace.Misbehave("views.open", workspace.Fails("expired_trigger_id"), 1)
		if line == "approve" || line == "revise" {
			line += " " + w.order().ID
		}
		maria.Type("/order " + line)
		require.Eventually(t, func() bool { return len(w.Workspace.Ephemerals("maria")) > before }, patience, tick, line)
		require.Contains(t, w.lastAnswer("maria"), "three seconds", line)
		require.Contains(t, w.lastAnswer("maria"), "Nothing was sent", line)
		maria.SeesNoModal()
	}
}

func TestAPhotosAddressIsGoodForTheServiceAndNobodyElse(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Share("Brighten this", w.picture(0))
	maria.MessageShortcut("Brighten this", "Order these photos")
	maria.SeesModal("New photo order")
	maria.Sees("beach.jpg")
	maria.Submit()
	maria.Sees("Order placed")
	address := w.order().Images[0].URL
	token, name := path.Base(path.Dir(address)), path.Base(address)
	file := fileIn(t, token)
	at := func(token string) string { return w.app.url + "/files/" + token + "/" + name }

	require.Equal(t, w.picture(0).Content, w.get(address, http.StatusOK))
	w.get(at(flip(token)), http.StatusForbidden)
	w.get(at(forge(t, "the-key-of-somebody-else-is-long-enough", file, hour)), http.StatusForbidden)
	w.get(at(forge(t, fileKey, file, -hour)), http.StatusGone)
	w.get(at(forge(t, fileKey, file, hour)), http.StatusOK)
	w.get(at(forge(t, fileKey, "F0NEVERWAS", hour)), http.StatusGone)
	page := workspace.Upload{Name: "holiday.tiff", Content: []byte("<!doctype html><script>alert(1)</script>")}
	w.get(at(forge(t, fileKey, w.shared(maria, page), hour)), http.StatusUnsupportedMediaType)

	// A new key signs, and the old one is still believed, until it is taken away.
	w.restart("FILE_SIGNING_KEY=a-new-key-of-the-stories-is-long-enough," + fileKey)
	w.get(at(token), http.StatusOK)
	w.restart("FILE_SIGNING_KEY=a-new-key-of-the-stories-is-long-enough")
	w.get(at(token), http.StatusForbidden)
}
