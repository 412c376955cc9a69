package stories

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Slack cannot be told that Slack is away: the log has it at once, in one line a process whatever waits, and
// the operations channel when it is over, once for all replicas.
func TestAnOutageOfSlackIsToldOnceWhenItIsOver(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.Workspace.Invite("#weddings", "darkroom")
	w.restart("OPS_CHANNEL=" + w.Workspace.Channel("#weddings").ID)
	other := w.launch()
	order := w.place(maria, "Silence")
	w.Workspace.Down()
	for _, word := range []string{"One", "Two", "Three", "Four", "Five", "Six"} { // something for both of them
		maria.Type("/order message " + order.ID + " " + word + ".")
	}
	require.NoError(t, w.Photos.Deliver(order.ID))
	logged := func(words string) (n int) {
		return strings.Count(w.app.said(), words) + strings.Count(other.said(), words)
	}
	w.until("the log has it", func() bool { return logged("slack does not answer") > 0 })
	<-time.After(12 * time.Second) // what is shorter is a blip
	w.Workspace.Up()
	w.ops("Slack did not answer me from")
	w.ops("Requests that I had accepted are saved and go out now")
	maria.SeesInThread("Silence", "Ready for review")
	w.until("all six are sent", func() bool { return len(w.read()) == 6 })
	w.quiet()
	w.ops("Slack did not answer me from")
	require.LessOrEqual(t, logged("slack does not answer"), 2, "one line a process")
	require.Equal(t, logged("slack does not answer"), logged("slack answers again"))
	other.stop()
	require.LessOrEqual(t, strings.Count(w.app.said()+other.said(), `level=WARN msg="job waits for an outage to end"`), 2*2, "and two that were lost before")
}
