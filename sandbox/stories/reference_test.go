package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

// references are the addresses of the order's reference images.
func (w *world) references() []string {
	w.t.Helper()
	var all []string
	for _, r := range w.order().References {
		all = append(all, r.URL)
	}
	return all
}

func TestTheEditorIsShownWhatIsMeant(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Shown to the editor")
	mood := w.Samples()[2]

	maria.Type("/order reference " + order.ID + " " + mood)
	maria.SeesEphemeral("1 reference photo")
	maria.SeesInThread("Shown to the editor", "References added by Maria")
	require.Equal(t, []string{mood}, w.references())
	maria.Type("/order reference " + order.ID + " ftp://example.com/a.jpg")
	maria.SeesEphemeral("ftp://example.com/a.jpg")
	maria.Type("/order reference " + order.ID + " " + mood + ".missing")
	maria.SeesDM("not accessible")

	// Without an address, a form; what the service has already is said, and kept.
	ben.Type("/order reference")
	ben.SeesModal("Add reference images")
	ben.Submit()
	ben.SeesError("Photo links", "at least one")
	ben.Fill("Photo links", mood)
	ben.Fill("Instruction", "This gold.")
	ben.Submit()
	ben.Sees("Nothing was sent twice")
	ben.CloseModal()

	// From a message's menu, photos and addresses together.
	notes := workspace.Upload{Name: "notes.txt", Content: []byte("not a photo")}
	ben.Share("the mood", w.picture(0), notes)
	ben.MessageShortcut("the mood", "Add as reference")
	ben.SeesModal("Add reference images")
	ben.Sees("notes.txt")
	ben.Choose("Type part of its name", "Shown")
	ben.Fill("Photo links", w.Samples()[1]+"?as=reference")
	ben.Fill("Instruction", "As warm as these.")
	ben.Submit()
	ben.Sees("2 reference photos")
	ben.CloseModal()
	maria.SeesInThread("Shown to the editor", "References added by Ben")
	require.Len(t, w.references(), 3)
	require.Equal(t, "As warm as these.", w.order().References[1].Instruction)
	require.Equal(t, w.picture(0).Content, w.get(w.references()[1], 200))

	// What is attached to words that were sent is offered.
	maria.OpenThread("Shown to the editor")
	maria.Share("@darkroom like this one, please", w.picture(1))
	maria.SeesReaction("like this one, please", "white_check_mark")
	maria.SeesDM("Shall the editor have it as reference?")
	maria.Goto("@darkroom")
	maria.Press("Add Reference Images")
	maria.SeesModal("Add reference images")
	maria.Sees("house.jpg")
	maria.Submit()
	require.Eventually(t, func() bool { return len(w.references()) == 4 }, patience, tick, "the photo is added")
	maria.Sees("Added to Shown to the editor")
	maria.CloseModal()
}

func TestEachReferenceImageHasAnInstructionOfItsOwn(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Mood board")
	maria.Type("/order reference " + order.ID)
	maria.SeesModal("Add reference images")
	maria.Upload("Photos", workspace.Upload{Name: "notes.txt", Content: []byte("not a photo")})
	maria.Submit()
	maria.SeesError("Photos", "notes.txt is not a photo")
	maria.CloseModal()
	maria.Type("/order reference " + order.ID)
	maria.SeesModal("Add reference images")
	maria.Upload("Photos", w.picture(0), w.picture(1))
	maria.Fill("Photo links", w.Samples()[2])
	maria.Fill("Instruction", "Softer.")
	maria.Check("Per photo", "Write an instruction for each photo next")
	maria.SeesButton("Next")
	maria.Submit()
	maria.Sees("look at in each photo")
	maria.SeesValue("All other photos", "Softer.")
	maria.Fill("1 · "+w.picture(0).Name, "This sky.")
	maria.Fill("3 · cake.jpg", "This gold.")
	maria.Submit()
	maria.Sees("3 reference photos")
	maria.CloseModal()
	maria.SeesInThread("Mood board", "References added by Maria")
	maria.SeesInThread("Mood board", "1 · "+w.picture(0).Name+": This sky.")
	maria.SeesInThread("Mood board", "All other photos: Softer.")
	var told []string
	for _, reference := range w.order().References {
		told = append(told, reference.Instruction)
	}
	require.Equal(t, []string{"This sky.", "Softer.", "This gold."}, told)
	require.Equal(t, w.picture(1).Content, w.get(w.references()[1], 200))
}
