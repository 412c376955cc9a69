package stories

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
	"darkroom/store/storetest"
)

// An operator puts an hour-old backup back. What happened in that hour stands at the service and in
// the channels: none of it is done or told again, and orders that Redis does not know are found by
// their cards.
func TestABackupOfAnHourAgoIsPutBack(t *testing.T) {
	t.Parallel()
	for _, file := range []string{storetest.SnapshotFile, storetest.AppendOnlyFile} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			seated(t)
			redis := storetest.Start(t)
			w := openOver(t, redis.URL())
			w.Workspace.Invite("#weddings", "darkroom")
			w.restart("OPS_CHANNEL=" + w.Workspace.Channel("#weddings").ID)
			maria, ben := w.person("maria"), w.person("ben")
			w.placed(maria, "Steady")
			approved := w.placed(maria, "Approved since")
			w.delivered(maria, "Approved since")
			delivered := w.placed(maria, "Delivered since")
			maria.Type("/order message " + delivered.ID + " Said before the backup.")
			maria.SeesInThread("Delivered since", "Said before the backup.")
			w.fillOrder(ben, "Submitted since")
			w.quiet()
			backup := redis.Backup(file)

			ben.Submit()
			ben.Sees("Order placed")
			closeAll(ben)
			maria.SeesInThread("Submitted since", "Placed")
			maria.Type("/order approve " + approved.ID)
			maria.SeesModal("Approve order")
			maria.Submit()
			maria.Sees("The order is closed")
			closeAll(maria)
			maria.SeesInThread("Approved since", "Approved by Maria")
			w.delivered(maria, "Delivered since")
			require.NoError(t, w.Photos.Say(delivered.ID, "Which beach is it?"))
			maria.Type("/order message " + delivered.ID + " Said after the backup.")
			maria.SeesInThread("Delivered since", "Which beach is it?")
			w.placed(maria, "Lost card")
			lost := w.placed(maria, "Lost order")
			w.delivered(maria, "Lost order")
			w.placed(maria, "Lost thread")
			w.quiet()
			stood, asked := w.stands(), len(w.Photos.Requests())

			w.app.stop()
			redis.Restore(backup)
			w.startApp()
			w.until("the poll has seen what happened", func() bool {
				return w.edited("Approved since", "Approved") && w.edited("Delivered since", "Ready for review")
			})
			w.quiet()
			require.Equal(t, stood, w.stands(), "no channel is told again what it was told")
			require.Empty(t, w.written(asked), "and nothing is sent to the service")

			// What was known goes on: its review is the one that stands there.
			ben.PressOn("Ready for review: Delivered since", "Request Changes")
			ben.SeesModal("Request changes")
			ben.Fill("1 · beach.jpg", "Warmer, please.")
			ben.Submit()
			ben.Sees("Changes requested: Delivered since")
			closeAll(ben)
			ben.SeesInThread("Delivered since", "Changes requested by Ben")
			ben.Type("/order message " + delivered.ID + " Said at the end.")
			ben.SeesInThread("Delivered since", "Said at the end.")

			// What was not is found by its card, by its review, and in its thread.
			ben.PressOn("Lost card", "Message the Editor")
			ben.SeesModal("Message the editor")
			ben.Fill("Message", "Are you there?")
			ben.Submit()
			ben.Sees("Sent to the editor")
			closeAll(ben)
			ben.SeesInThread("Lost card", "Are you there?")
			ben.PressOn("Ready for review: Lost order", "Approve")
			ben.Press("Approve")
			ben.SeesModal("Approve order") // it is found again, and looked at once more
			ben.Submit()
			ben.Sees("The order is closed")
			closeAll(ben)
			ben.SeesInThread("Lost order", "Approved by Ben")
			ben.SeesNoButton("Approve")
			ben.OpenThread("Lost thread")
			ben.Type("@darkroom Mentioned in its thread.")
			ben.SeesInThread("Lost thread", "Mentioned in its thread.")
			ben.CloseThread()

			// The form that was open then is submitted once more, and is the order that it was.
			ben.Type("/order new")
			ben.SeesModal("New photo order")
			ben.Press("Continue")
			ben.SeesValue("Project name", "Submitted since")
			ben.Submit()
			ben.Sees("Order placed")
			closeAll(ben)
			w.ops("Redis came back in an earlier state")
			w.quiet()

			require.Equal(t, 1, w.called("Lost order").Approvals)
			require.Equal(t, "closed", w.called("Lost order").Status)
			require.Len(t, w.called("Delivered since").Revisions, 1)
			require.Len(t, w.Photos.Orders(), 7)
			for _, project := range []string{"Steady", "Approved since", "Delivered since", "Submitted since", "Lost card", "Lost order", "Lost thread"} {
				require.Equal(t, 1, w.countCards(project), project)
				w.onceEach(project)
			}
			require.Equal(t, lost.ID, w.called("Lost order").ID)
			require.Contains(t, w.dead(), "There are no dead letters")
		})
	}
}

// placed orders one photo in #shoots, and waits until the channel has its card.
func (w *world) placed(who *person.T, project string) photos.Order {
	w.t.Helper()
	who.Type("/order new " + w.Samples()[0])
	who.SeesModal("New photo order")
	who.Fill("Instructions", "Brighten the sky.")
	who.Fill("Project name", project)
	who.Submit()
	who.Sees("Order placed")
	who.CloseModal()
	who.SeesInThread(project, "Placed")
	return w.called(project)
}

// delivered makes the editor finish, and waits until the thread has it.
func (w *world) delivered(who *person.T, project string) {
	w.t.Helper()
	require.NoError(w.t, w.Photos.Deliver(w.called(project).ID))
	who.SeesInThread(project, "Ready for review")
}

// stands are the messages in #shoots and its threads.
func (w *world) stands() (all []string) {
	for _, m := range w.Workspace.Messages("#shoots") {
		for _, reply := range w.Workspace.Thread("#shoots", m.TS) {
			if !slices.Contains(all, reply.TS) {
				all = append(all, reply.TS)
			}
		}
	}
	slices.Sort(all)
	return all
}

// edited tells whether the project's card says so.
func (w *world) edited(project, says string) bool {
	return strings.Contains(w.thread(project)[0].Text, says)
}

// written are the requests with which something was to be changed at the service, from the nth on.
func (w *world) written(from int) (all []photos.Op) {
	for _, r := range w.Photos.Requests()[from:] {
		if r.Op != photos.List && r.Op != photos.Fetch && r.Op != photos.Balance {
			all = append(all, r.Op)
		}
	}
	return all
}

// onceEach requires that no two replies of a thread tell of the same event.
func (w *world) onceEach(project string) {
	w.t.Helper()
	var told []any
	for _, m := range w.thread(project) {
		payload, _ := m.Metadata["event_payload"].(map[string]any)
		if m.BotID == "" || payload == nil {
			continue
		}
		require.NotContains(w.t, told, payload["event"], project)
		told = append(told, payload["event"])
	}
}
