package stories

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
)

// With two replicas, and after all of them were replaced, the operations channel hears once that the
// credits are low, and once that they are well again.
func TestTheOperationsChannelHearsOnceOfLowCredits(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.Workspace.Invite("#weddings", "darkroom")
	w.environ = append(w.environ, "OPS_CHANNEL="+w.Workspace.Channel("#weddings").ID, "LOW_CREDITS="+w.Photos.Credits().Sub(decimal.New(1, -1)).String())
	w.app.stop()
	w.startApp()
	other := w.launch()
	w.place(maria, "The last straw") // and so the balance falls, and she is shown it
	w.ops("Buy credits there")
	other.stop()
	w.app.stop()
	w.startApp()
	w.until("it has looked", w.rounds(5))
	w.Photos.AddCredits(decimal.NewFromInt(500))
	maria.Type("/order balance") // a look that somebody has anyway is heeded at once
	maria.SeesEphemeral("Credits left")
	w.ops("That is enough.")
	w.ops("Buy credits there")
}

// Without an operations channel the log has it, at the level that is shown.
func TestWithoutAnOperationsChannelTheLogHasLowCredits(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.restart("LOW_CREDITS=100000")
	count := func() int { return strings.Count(w.app.said(), "Buy credits there") }
	w.until("the log has it", func() bool { return count() > 0 })
	w.place(w.person("maria"), "Many ticks")
	w.until("it has looked again and again", w.rounds(5))
	require.Equal(t, 1, count())
	require.Contains(t, w.app.said(), "level=WARN msg=operations")
}

// rounds tells when the poller has been by that often.
func (w *world) rounds(n int) func() bool {
	before := len(w.Photos.Requests())
	return func() bool { return len(w.Photos.Requests()) >= before+n }
}
