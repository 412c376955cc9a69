package stories

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
)

// place orders the samples in #shoots as this person, and closes the form.
func (w *world) place(who *person.T, project string) photos.Order {
	w.t.Helper()
	who.Type("/order new " + w.Samples()[0] + " " + w.Samples()[1])
	who.SeesModal("New photo order")
	who.Fill("Instructions", "Brighten the sky.\nKeep the sand as it is.")
	who.Fill("Project name", project)
	who.Submit()
	who.Sees("Order placed")
	who.CloseModal()
	who.SeesInThread(project, "Placed")
	return w.order()
}

// deliver makes the editor finish, and waits until the channel has seen it.
func (w *world) deliver(who *person.T, id string) {
	w.t.Helper()
	require.NoError(w.t, w.Photos.Deliver(id))
	who.SeesBroadcast("Ready for review")
}

func TestAnOrderFromNewToApproved(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")

	order := w.place(maria, "Summer catalogue")
	require.Equal(t, []string{"Brighten the sky.", "Keep the sand as it is."}, order.Instructions)
	require.Len(t, order.Images, 2)
	ben.Sees("Summer catalogue")

	w.deliver(ben, order.ID)
	ben.SeesThumbnails(2)
	ben.PressOn("Ready for review", "Approve with feedback")
	ben.SeesModal("Approve order")
	ben.Fill("Feedback", "Lovely light.")
	ben.Submit()
	ben.Sees("The order is closed")
	ben.CloseModal()
	maria.SeesInThread("Summer catalogue", "Approved by Ben")
	maria.SeesInThread("Summer catalogue", "Lovely light.")
	maria.SeesNoButton("Approve")

	order = w.order()
	require.Equal(t, "closed", order.Status)
	require.Equal(t, 1, order.Approvals)
	require.Equal(t, []string{"Lovely light."}, order.Feedback)
}

// Slack asks, and no window opens. The message shows what goes on and how it ends, also when the app dies meanwhile.
func TestAnApprovalNeedsNoWindow(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "One question")
	w.deliver(maria, order.ID)
	maria.PressOn("2 photos · Basic", "Review") // the card leads to the review
	maria.PressOn("One question", "Approve")
	maria.Sees("Approve 2 photos of One question?")
	maria.Press("Not Yet")
	require.Zero(t, w.order().Approvals)

	w.Photos.Misbehave(photos.Approve, photos.Slow(3*time.Second), 1)
	ben.PressOn("Ready for review", "Approve")
	ben.Press("Approve")
	maria.Sees("Approval by Ben is on the way")
	maria.SeesNoButton("Request Changes")
	w.app.kill()
	w.startApp()
	maria.SeesInThread("One question", "Approved by Ben")
	ben.SeesNoModal()
	maria.SeesButton("Show Final Photos")
	maria.DoesNotSee("on the way")
	require.Equal(t, 1, w.order().Approvals)
	require.Equal(t, 1, w.countInThread("One question", "Approved"))
}

func TestAnApprovalWhoseAnswerIsLostIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]photos.Fault{
		"reset after commit": photos.ResetAfterCommit(),
		"500 after commit":   photos.Error500AfterCommit(),
		"reset before":       photos.ResetBeforeCommit(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			maria := w.person("maria")
			order := w.place(maria, "Lost answer")
			w.deliver(maria, order.ID)
			w.Photos.Misbehave(photos.Approve, fault, 1)
			maria.Type("/order approve " + order.ID)
			maria.SeesModal("Approve order")
			maria.Submit()
			maria.SeesInThread("Lost answer", "Approved by Maria")
			require.Equal(t, 1, w.countInThread("Lost answer", "Approved"))
			require.Equal(t, 1, w.order().Approvals)
		})
	}
}
