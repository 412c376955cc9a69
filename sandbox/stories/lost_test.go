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
			maria := w.person("maria")
			order := w.place(maria, "Said once")
			w.Workspace.Misbehave("chat.postMessage", fault, 1)
			w.deliver(maria, order.ID)
			maria.PressOn("Ready for review", "Approve")
			maria.Submit()
			maria.SeesInThread("Said once", "Approved by @Maria")
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

func TestThePostOfACardIsNotRepeated(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Workspace.Misbehave("chat.postMessage", workspace.Error500After, 1)
	maria := w.person("maria")
	w.place(maria, "One card")
	require.Equal(t, 1, w.countCards("One card"))
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
