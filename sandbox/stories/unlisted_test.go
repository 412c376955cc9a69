package stories

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/workspace"
)

// An app that many workspaces install reads messages once a minute. Where it hears of its own messages it need not read
// at all: none is told twice, and none waits.
func TestAnAppThatMayHardlyReadHearsThatItsMessageIsOut(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) {
		o.Workspace.Unlisted = true
		o.Workspace.Scopes = append(workspace.DefaultScopes(), "metadata.message:read")
		o.Workspace.Events = append(workspace.DefaultEvents(), "message_metadata_posted", "message_metadata_deleted")
		o.Workspace.Metadata = []string{"darkroom_order"}
	})
	w.shortWaits()
	maria := w.person("maria")
	order := w.place(maria, "Said once")
	w.Workspace.Misbehave("chat.postMessage", workspace.Error500After, 1)
	w.deliver(maria, order.ID)
	maria.PressOn("Ready for review", "Approve with feedback")
	w.Workspace.Misbehave("chat.postMessage", workspace.Error500After, 1) // one more than may be looked for within a minute
	maria.Submit()
	maria.SeesInThread("Said once", "Approved by Maria")
	var told []any
	require.Eventually(t, func() bool { // the review's buttons go once it is known that its end was told
		told = nil
		thread := w.thread("Said once")
		for _, m := range thread {
			payload, _ := m.Metadata["event_payload"].(map[string]any)
			told = append(told, payload["event"])
		}
		return !strings.Contains(fmt.Sprint(thread[2].Blocks), "order:approve")
	}, patience, tick)
	require.Equal(t, []any{"card", "placed", "ready:r0", "approved"}, told)
	thread := w.thread("Said once")
	w.Workspace.DeleteMessage(w.Workspace.Channel("shoots").ID, thread[len(thread)-1].TS)
	require.Eventually(t, func() bool {
		return slices.ContainsFunc(w.Workspace.Deliveries(), func(d workspace.Delivery) bool {
			return d.Acknowledged() && payloadOf(d).Event.Type == "message_metadata_deleted"
		})
	}, patience, tick, "that one of its messages is gone it hears as well")
	w.placed(maria, "Missed")
	w.delivered(maria, "Missed")
	w.Workspace.DeleteMessage(w.Workspace.Channel("shoots").ID, w.thread("Missed")[2].TS)
	require.Eventually(t, func() bool { return strings.Contains(fmt.Sprint(w.thread("Missed")[0].Blocks), "order:approve") }, patience, tick, "the card has the buttons of a review that was deleted")
	for _, c := range w.Workspace.Requests() {
		require.NotContains(t, []string{"conversations.history", "conversations.replies"}, c.Method)
	}
}
