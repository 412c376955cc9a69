package stories

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
)

// threadPictures are some photos on somebody's laptop.
func (w *world) threadPictures(which ...int) (all []workspace.Upload) {
	for _, i := range which {
		all = append(all, w.picture(i))
	}
	return all
}

// sharesThread has somebody share photos in three messages of one thread, and talk about them in it.
func (w *world) sharesThread(who *person.T) {
	who.Share("Brighten the sky, please.", w.threadPictures(0)...)
	who.OpenThread("Brighten the sky, please.")
	who.Share("Polish the gold of the rings, and take out the crumbs on the table", w.threadPictures(1, 2)...)
	who.Type("What do you think?")
	who.Share("", w.threadPictures(0)...)
}

// A thread of photos is one order, or one for each message, or only what the chosen message holds.
func TestAThreadOfPhotosIsOrderedTogether(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.sharesThread(maria)
	const chosen = "Polish the gold"
	maria.MessageShortcut("Brighten the sky", "Order these photos") // which begins it
	maria.Sees("This thread has 4 photos in 3 messages")
	maria.CloseModal()
	maria.MessageShortcut(chosen, "Order these photos")
	maria.SeesModal("New photo order")
	maria.Sees("This thread has 4 photos in 3 messages")
	maria.Choose("Which photos", "All photos of the thread in one order")
	maria.Submit()
	maria.SeesValue("Instructions", "Brighten the sky, please.\nPolish the gold of the rings, and take out the crumbs on the table")
	maria.Fill("Instructions", "All alike.")
	maria.Fill("Project name", "Whole thread")
	require.Empty(t, w.Photos.Orders(), "nothing is sent before it was seen")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	require.Len(t, w.called("Whole thread").Images, 4)

	maria.MessageShortcut(chosen, "Order these photos")
	maria.Sees("This thread has 4 photos in 3 messages")
	maria.Submit() // nothing was chosen
	maria.SeesValue("Instructions", "Polish the gold of the rings, and take out the crumbs on the table")
	maria.Fill("Instructions", "Only these two.")
	maria.Fill("Project name", "Only these")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	require.Len(t, w.called("Only these").Images, 2)

	maria.MessageShortcut(chosen, "Order these photos")
	maria.Choose("Which photos", "One order for each message")
	maria.SeesValue("Instructions for 1 message without text", "Brighten the sky, please.")
	maria.Submit()
	maria.SeesModal("Place orders")
	maria.Sees("3 orders, 4 photos")
	maria.Sees("Brighten the sky, please. · 1 photo")
	require.Len(t, w.Photos.Orders(), 2, "nothing is sent before it was seen")
	maria.SubmitTwice()
	maria.Sees("Every order is placed: 3 orders.")
	maria.CloseModal()
	require.Len(t, w.Photos.Orders(), 5)
	var names []string
	for _, o := range w.Photos.Orders() {
		names = append(names, o.Project)
	}
	require.Contains(t, strings.Join(names, "\n"), "Polish the gold", "each is named by its first words")
	gold := w.Photos.Orders()[slices.IndexFunc(names, func(name string) bool { return strings.Contains(name, "Polish the gold") })]
	require.Len(t, gold.Images, 2)
	require.Equal(t, []string{"Polish the gold of the rings, and take out the crumbs on the table"}, gold.Instructions)
	require.Len(t, w.results("maria"), 3)
}

// What goes over a limit waits for an approver; the rest of its batch is placed, and the batch ends.
func TestABatchOverALimitSaysWhatWaitsForAnApprover(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, olga := w.person("maria"), w.person("olga")
	limits(maria, "1", "@Olga")
	handsIn(maria, table("spring.csv", "name,images", "Small,"+w.Samples()[0], "Large,"+w.Samples()[1]+" "+w.Samples()[2]))
	maria.Sees("2 orders, 3 photos")
	maria.Submit()
	maria.Sees("1 of 2 orders is placed, 1 waits for an approver.")
	maria.SeesDM("It waits for an approver. Nothing was charged.")
	closeAll(maria)
	rows := w.results("maria")
	require.Equal(t, []string{"3", "Large", "2", "waits for an approver"}, rows[1][:4])
	require.Len(t, w.Photos.Orders(), 1)

	olga.Goto("#shoots")
	olga.Sees("May this order be placed?")
	olga.PressOn("May this order be placed?", "Allow")
	maria.SeesInThread("2 orders", "Large")
	require.Len(t, w.Photos.Orders(), 2)
}
