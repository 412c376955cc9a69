package stories

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

func TestACreateWhoseAnswerIsLostIsAdopted(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]photos.Fault{
		"reset after commit": photos.ResetAfterCommit(),
		"500 after commit":   photos.Error500AfterCommit(),
		"half an answer":     photos.Truncated(),
		"a page of HTML":     photos.HTMLAfterCommit(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			w.Photos.Misbehave(photos.Create, fault, 1)
			maria := w.person("maria")
			order := w.place(maria, "Lost and found")
			require.Contains(t, order.Project, "Lost and found [")
			require.Equal(t, 1, w.countInThread("Lost and found", "Placed"))
		})
	}
}

func TestAPostWhoseAnswerIsLostIsNotRepeated(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]workspace.Fault{
		"500 after it was stored":   workspace.Error500After,
		"reset after it was stored": workspace.ResetAfter,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			w.shortWaits()
			maria := w.person("maria")
			order := w.place(maria, "Said once")
			w.Workspace.Misbehave("chat.postMessage", fault, 1)
			w.deliver(maria, order.ID)
			approveOn(maria, "Ready for review", "Said once")
			require.Equal(t, 1, w.countInThread("Said once", "Ready for review"))
		})
	}
}

func TestAKilledAppFindsTheOrderItHadSent(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Photos.Misbehave(photos.Create, photos.HangAfterCommit(), 1)
	maria := w.person("maria")
	w.fillOrder(maria, "Killed in between")
	maria.Submit()
	require.Eventually(t, func() bool { return len(w.Photos.Orders()) == 1 }, patience, 10*time.Millisecond)
	w.app.kill() // as kill -9 does
	w.Photos.Release()
	w.startApp()
	maria.SeesInThread("Killed in between", "Placed")
	maria.Sees("Order placed")
	w.order()
	require.Equal(t, 1, w.countCards("Killed in between"))
}

func TestAKilledAppNeitherRepeatsNorForgetsWhatItHadSent(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.shortWaits()
	maria := w.person("maria")
	order := w.place(maria, "Killed again")
	// killed submits, and kills the app after the service has done it, before it has said so.
	killed := func(op photos.Op, done func() bool) {
		t.Helper()
		w.Photos.Misbehave(op, photos.HangAfterCommit(), 1)
		maria.Submit()
		require.Eventually(t, done, patience, tick, "the service has it")
		w.app.kill()
		w.Photos.Release()
		w.startApp()
	}
	maria.Type("/order message")
	maria.SeesModal("Message the editor")
	maria.Fill("Message", "Said before the end.")
	killed(photos.Message, func() bool { return len(w.said()) == 1 })
	maria.Sees("Sent to the editor")
	maria.CloseModal()
	maria.SeesInThread("Killed again", "Message sent by Maria")

	w.deliver(maria, order.ID)
	maria.Type("/order revise " + order.ID + " Warmer.")
	maria.SeesModal("Request changes")
	killed(photos.Revise, func() bool { return len(w.order().Revisions) == 1 })
	maria.Sees("Changes requested: Killed again")
	maria.CloseModal()
	maria.SeesInThread("Killed again", "Changes requested by Maria")

	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("round 2")
	maria.Type("/order approve " + order.ID)
	maria.SeesModal("Approve order")
	killed(photos.Approve, func() bool { return w.order().Approvals == 1 })
	maria.Sees("The order is closed")
	maria.SeesInThread("Killed again", "Approved by Maria")

	require.Equal(t, []string{"Said before the end."}, w.said())
	require.Len(t, w.order().Revisions, 1)
	for _, event := range []string{"Message sent", "Changes requested", "Approved"} {
		require.Equal(t, 1, w.countInThread("Killed again", event), event)
	}
}

// countInThread counts the replies of the card that begin with these words.
func (w *world) countInThread(card, words string) int {
	n := 0
	for _, m := range w.thread(card) {
		if strings.HasPrefix(strings.Trim(m.Text, "* "), words) {
			n++
		}
	}
	return n
}

// countCards counts the cards of that project in #shoots.
func (w *world) countCards(project string) int {
	n := 0
	for _, m := range w.Workspace.Messages("#shoots") {
		if root(m) && strings.Contains(m.Text, project) {
			n++
		}
	}
	return n
}

// thread is the card of that project and its replies.
func (w *world) thread(project string) []workspace.Message {
	w.t.Helper()
	for _, m := range w.Workspace.Messages("#shoots") {
		if root(m) && strings.Contains(m.Text, project) {
			return w.Workspace.Thread("#shoots", m.TS)
		}
	}
	require.FailNow(w.t, "no card of "+project)
	return nil
}

// root tells whether a message is not a reply.
func root(m workspace.Message) bool { return m.ThreadTS == "" || m.ThreadTS == m.TS }
