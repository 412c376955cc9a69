package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// How one click can reach the app more than once.
var clicks = map[string]struct {
	submit func(*person.T)
	press  func(*person.T, string)
}{
	"a double click":                  {(*person.T).SubmitTwice, (*person.T).PressTwice},
	"a click that Slack brings twice": {(*person.T).SubmitReplayed, (*person.T).PressReplayed},
}

func TestADoubleClickOnAnythingCountsOnce(t *testing.T) {
	t.Parallel()
	for name, click := range clicks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			w.shortWaits()
			maria := w.person("maria")
			order := w.place(maria, "Twice")
			twice := func(button, title string, fill func()) {
				t.Helper()
				click.press(maria, button)
				maria.SeesModal(title)
				fill()
				click.submit(maria)
			}
			closed := func(says string) {
				t.Helper()
				maria.Sees(says)
				closeAll(maria)
			}

			twice("Message the Editor", "Message the editor", func() { maria.Fill("Message", "Only once.") })
			closed("Sent to the editor")
			require.Equal(t, []string{"Only once."}, w.said())

			maria.Type("/order reference")
			maria.SeesModal("Add reference images")
			maria.Fill("Photo links", w.Samples()[2])
			click.submit(maria)
			closed("1 reference photo")
			require.Len(t, w.references(), 1)

			opensSettings(maria, "Messages")
			maria.Choose("News", "In the thread only")
			click.submit(maria)
			closed("Updates stay in the thread.")
			opensSettings(maria, "Messages")
			maria.Choose("News", "In the channel")
			savesSettings(maria, "Updates appear in the channel.")

			w.deliver(maria, order.ID)
			twice("Request Changes", "Request changes", func() { maria.Fill("All other photos", "Warmer.") })
			closed("Changes requested: Twice")
			require.Len(t, w.order().Revisions, 1)

			require.NoError(t, w.Photos.Deliver(order.ID))
			maria.SeesBroadcast("round 2")
			twice("Approve with feedback", "Approve order", func() { maria.Fill("Feedback", "Lovely.") })
			closed("The order is closed")
			require.Equal(t, []string{"Lovely."}, w.order().Feedback)

			maria.SeesInThread("Twice", "Approved by Maria")
			for _, event := range []string{"Placed", "Message sent", "References added", "Changes requested", "Approved"} {
				require.Equal(t, 1, w.countInThread("Twice", event), event)
			}

			wrong := w.another(maria, "Twice wrong")
			maria.Type("/order cancel " + wrong.ID)
			maria.SeesModal("Cancel order")
			click.submit(maria)
			closed("Canceled: Twice wrong")
			maria.SeesInThread("Twice wrong", "Canceled by Maria")
			require.Equal(t, 1, w.countInThread("Twice wrong", "Canceled"))

			pressed := w.another(maria, "Twice pressed")
			require.NoError(t, w.Photos.Deliver(pressed.ID))
			maria.SeesInThread("Twice pressed", "Ready for review")
			click.press(maria, "Approve")
			maria.Press("Approve")
			maria.SeesInThread("Twice pressed", "Approved by Maria")
			w.quiet()
			require.Equal(t, 1, w.countInThread("Twice pressed", "Approved"))

			maria.Type("/order move " + order.ID)
			maria.SeesModal("Move order")
			maria.Choose("Move to", "#weddings")
			click.submit(maria)
			closed("#weddings")
			maria.Goto("#weddings")
			maria.SeesInThread("Twice", "Moved by Maria")
		})
	}
}

// closeAll closes every window, also one that a double click has opened besides.
func closeAll(who *person.T) {
	for strings.Contains(who.Screen(), "== modal ") {
		who.CloseModal()
	}
}

func TestAWindowThatIsClosedTooEarlyLosesNothing(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Closed early")
	// hasty submits, and closes the window before the answer is there.
	hasty := func(told string) {
		t.Helper()
		maria.DoesNotSee("One moment")
		release := w.Workspace.Hold("views.update")
		maria.Submit()
		maria.CloseModal()
		release()
		maria.SeesDM(told)
	}
	maria.Type("/order message")
	maria.SeesModal("Message the editor")
	maria.Fill("Message", "In a hurry.")
	hasty("Sent to the editor")
	maria.Type("/order reference")
	maria.SeesModal("Add reference images")
	maria.Fill("Photo links", w.Samples()[2])
	hasty("Added to Closed early")
	maria.Type("/order reference")
	maria.SeesModal("Add reference images")
	maria.Fill("Photo links", w.Samples()[2]+".missing")
	hasty("not accessible")
	inDM(maria, func() {
		maria.Press("Add Reference Images") // with what was typed
		maria.SeesModal("Add reference images")
		maria.SeesValue("Photo links", w.Samples()[2]+".missing")
		maria.CloseModal()
	})
	w.Photos.Misbehave(photos.Message, photos.Refuses("the editor has left"), 1)
	maria.Type("/order message")
	maria.SeesModal("Message the editor")
	maria.Fill("Message", "Come back <soon> & safely.")
	hasty("the editor has left")
	inDM(maria, func() {
		maria.PressOn("the editor has left", "Message the Editor")
		maria.SeesModal("Message the editor")
		maria.SeesValue("Message", "Come back <soon> & safely.")
		maria.CloseModal()
	})
	maria.Type("/order cancel wrong photos")
	maria.SeesModal("Cancel order")
	w.Photos.Misbehave(photos.Cancel, photos.Refuses("this order cannot be canceled"), 1)
	hasty("this order cannot be canceled")
	maria.SeesDM("wrong photos")

	w.deliver(maria, order.ID)
	maria.PressOn("Ready for review", "Request Changes")
	maria.SeesModal("Request changes")
	maria.Fill("All other photos", "Warmer.")
	hasty("Changes requested: Closed early")
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("round 2")
	maria.PressOn("round 2", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.CloseModal() // nothing was sent
	maria.PressOn("round 2", "Approve with feedback")
	maria.SeesModal("Approve order")
	hasty("Approved: Closed early")
	require.Equal(t, 1, w.order().Approvals)
	require.Len(t, w.order().Revisions, 1)

	maria.OpenHome()
	maria.SeesHome("Closed early")
	maria.Choose("Which orders", "My orders · recent")
	maria.Press("Show Details")
	maria.SeesModal("Order details")
	maria.CloseModal()
	maria.Goto("#shoots")
	maria.Type("/order move " + order.ID)
	maria.SeesModal("Move order")
	maria.Choose("Move to", "#weddings")
	hasty("Moved: Closed early")
}

func TestAWindowIsFilledAlthoughSlackStumbles(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.Workspace.Misbehave("views.update", workspace.Error500, 1)
	maria.Type("/order new " + w.Samples()[0])
	maria.SeesModal("New photo order")
	maria.Fill("Instructions", "Brighten the sky.")
	maria.Fill("Project name", "Stumbling")
	w.Workspace.Misbehave("views.update", workspace.Fails("hash_conflict"), 1)
	maria.Submit()
	maria.SeesDM("Order placed")
	closeAll(maria)
	maria.SeesInThread("Stumbling", "Placed")
	w.deliver(maria, w.order().ID)
	for _, fault := range []workspace.Fault{
		workspace.ResetBefore, workspace.Error500, workspace.Error500After, workspace.ResetAfter,
	} {
		w.Workspace.Misbehave("views.update", fault, 1)
		maria.PressOn("Ready for review", "Approve with feedback")
		maria.SeesModal("Approve order")
		maria.DoesNotSee("One moment")
		maria.SeesThumbnails(1)
		closeAll(maria)
	}
	maria.PressOn("Ready for review", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.DoesNotSee("One moment")
	w.Workspace.Misbehave("views.update", workspace.Fails("hash_conflict"), 1)
	maria.Submit()
	maria.SeesInThread("Stumbling", "Approved by Maria")
}

func TestPicturesThatSlackCannotFetchCostNoWindow(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Workspace.PublicImagesOnly = true })
	maria := w.person("maria")
	order := w.place(maria, "Unseen")
	w.deliver(maria, order.ID)
	maria.PressOn("Ready for review", "Request Changes")
	maria.SeesModal("Request changes")
	maria.Fill("1 · beach.jpg", "Less yellow.")
	maria.Submit()
	maria.Sees("Changes requested: Unseen")
	maria.CloseModal()
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("round 2")
	maria.Type("/order show " + order.ID)
	maria.SeesEphemeral("History")
	maria.PressOn("Ready for review: Unseen", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.Sees("beach.jpg")
	maria.Submit()
	maria.Sees("The order is closed")
	maria.CloseModal()
	maria.OpenHome()
	maria.SeesHome("Unseen")
	maria.Press("Show Details")
	maria.SeesModal("Order details")
	maria.Sees("History")
}
