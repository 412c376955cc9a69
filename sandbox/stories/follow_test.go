package stories

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

// news counts the app's direct messages to somebody that say something, and tells in how many threads they are.
func (w *world) news(who, says string) (n int, threads map[string]bool) {
	threads = map[string]bool{}
	for _, m := range w.Workspace.DMs(who) {
		if strings.Contains(m.Text, says) {
			n++
			thread := m.ThreadTS
			if thread == "" {
				thread = m.TS
			}
			threads[thread] = true
		}
	}
	return n, threads
}

// Who follows an order is told of it by direct message, in one thread, until they end it or the order has ended.
func TestWhoFollowsAnOrderIsToldOfIt(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben, ines := w.person("maria"), w.person("ben"), w.person("ines")
	order := w.place(maria, "Harbour at dawn")
	ben.PressOn("Harbour at dawn", "Show Details")
	ben.SeesModal("Order details")
	ben.PressTwice("Follow")
	ben.Sees("You follow Harbour at dawn")
	ben.SeesNoButton("Follow")
	ben.CloseModal()
	ben.Type("/order show " + order.ID)
	ben.SeesEphemeral("You follow this order")
	w.Workspace.Invite("#shoots", "ines") // a guest, who may see it
	ines.Goto("#shoots")
	ines.Type("/order show " + order.ID)
	ines.Press("Follow")
	ines.SeesEphemeral("You follow Harbour at dawn")

	w.Workspace.Misbehave("chat.postMessage", workspace.TooMany(time.Second), 1)
	w.deliver(maria, order.ID)
	ben.SeesDM("Ready for review: Harbour at dawn")
	ines.SeesDM("Ready for review: Harbour at dawn")
	maria.PressOn("Ready for review: Harbour at dawn", "Request Changes")
	maria.SeesModal("Request changes")
	maria.Fill("1 · beach.jpg", "Warmer")
	maria.Submit()
	maria.Sees("Everybody in #shoots can see your request.")
	maria.CloseModal()
	ben.SeesDM("Warmer")

	ines.Goto("@darkroom")
	ines.Press("Unfollow")
	ines.SeesEphemeral("You no longer follow Harbour at dawn")
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesInThread("Harbour at dawn", "1 of 2 photos is new")
	w.until("ben is told of the second round", func() bool { n, _ := w.news("ben", "Ready for review: Harbour"); return n == 2 })
	w.approve(ben, "Harbour at dawn") // his own deed is no news to him
	w.quiet()
	n, threads := w.news("ben", "Harbour at dawn")
	require.Equal(t, 3, n, "two rounds, and the changes between them")
	require.Len(t, threads, 1)
	n, _ = w.news("ben", "Approved")
	require.Zero(t, n)
	n, _ = w.news("ines", "Ready for review")
	require.Equal(t, 1, n)
	n, _ = w.news("maria", "Harbour at dawn")
	require.Zero(t, n)
}
