package stories

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
)

// fillOrder opens the form and fills it in.
func (w *world) fillOrder(who *person.T, project string) {
	w.t.Helper()
	who.Type("/order " + w.Samples()[2])
	who.SeesModal("New photo order")
	who.Fill("Instructions", "Polish the gold.")
	who.Fill("Project name", project)
}

func TestADoubleClickPlacesOneOrder(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.fillOrder(maria, "Twice clicked")
	maria.SubmitTwice()
	maria.Sees("Order placed")
	maria.CloseModal()
	maria.SeesInThread("Twice clicked", "Placed")
	w.order()
	require.Equal(t, 1, w.countCards("Twice clicked"))
}

func TestAReplayedSubmissionPlacesOneOrder(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.fillOrder(maria, "Replayed")
	maria.SubmitReplayed()
	maria.Sees("Order placed")
	for _, d := range w.Workspace.Deliveries() {
		again := w.Workspace.Replay(d)
		require.Equal(t, 200, again.Status, "a replay is answered 200: %s", again.Kind)
	}
	maria.SeesInThread("Replayed", "Placed")
	w.quiet()
	w.order()
	require.Equal(t, 1, w.countCards("Replayed"))
}

func TestOneDraftInTwoWindowsPlacesOneOrder(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Credits = "0.5" })
	maria := w.person("maria")
	w.fillOrder(maria, "Two windows")
	release := w.Workspace.Hold("views.update")
	maria.Submit()
	maria.CloseModal() // before the answer
	release()
	// Refused, and the form is gone: the draft is kept behind a button.
	maria.SeesDM("insufficient balance")
	maria.Goto("@darkroom")
	w.Photos.AddCredits(decimal.NewFromInt(10))

	phone := maria.SecondWindow()
	for _, window := range []*person.T{maria, phone} {
		window.Press("Open the Form")
		window.SeesModal("New photo order")
		window.SeesValue("Instructions", "Polish the gold.")
	}
	maria.Submit()
	phone.Submit()
	maria.Sees("Order placed")
	phone.Sees("Order placed")
	maria.CloseModal()
	maria.Goto("#shoots")
	maria.SeesInThread("Two windows", "Placed")
	w.quiet()
	w.order()
	require.Equal(t, 1, w.countCards("Two windows"))
}

func TestAReplayAfterARefusalSendsNothing(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Credits = "0.5" })
	maria := w.person("maria")
	w.fillOrder(maria, "Refused")
	maria.Submit()
	maria.Sees("insufficient balance")
	maria.SeesValue("Instructions", "Polish the gold.")
	maria.SeesValue("Project name", "Refused")

	w.Photos.AddCredits(decimal.NewFromInt(10))
	for _, d := range w.Workspace.Deliveries() {
		w.Workspace.Replay(d)
	}
	w.quiet()
	require.Empty(t, w.Photos.Orders(), "only the person sends again")

	maria.Submit()
	maria.Sees("Order placed")
	w.order()
}

// quiet waits until the app has had time to do what it should not do: three rounds of
// its poller, each seen at the service.
func (w *world) quiet() {
	w.t.Helper()
	before := len(w.Photos.Requests())
	deadline := time.Now().Add(4 * time.Second)
	require.Eventually(w.t, func() bool {
		return len(w.Photos.Requests()) >= before+3 || time.Now().After(deadline)
	}, patience, 50*time.Millisecond)
}
