package stories

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
)

// Orders of a channel with a month's limit do not wait for each other, and what was never sent is not looked for.
func TestABatchUnderAMonthsLimitIsPlacedAtOnce(t *testing.T) {
	t.Parallel()
	const rows = 30
	w := open(t)
	maria := w.person("maria")
	w.batchUnderALimit(maria, rows)
	before, began := w.listed(), time.Now()
	maria.Submit()
	require.Eventually(t, func() bool { return len(w.Photos.Orders()) == rows }, 4*patience, tick)
	took, asked := time.Since(began), w.listed()-before
	t.Logf("%d orders in %s, %d lists", rows, took.Round(100*time.Millisecond), asked)
	require.Less(t, asked, rows, "nothing is looked for that was never sent")
	closeAll(maria)
}

// batchUnderALimit hands in a batch of so many orders in a channel with a month's limit that is far away.
func (w *world) batchUnderALimit(who *person.T, rows int) {
	w.t.Helper()
	monthLimit(who, "1000")
	lines := []string{"name,images"}
	for i := range rows {
		lines = append(lines, fmt.Sprintf("Row %02d,%s", i, w.Samples()[0]))
	}
	handsIn(who, table("month.csv", lines...))
	who.Sees(fmt.Sprintf("%d orders", rows))
}

// listed is how often the service was asked for its list.
func (w *world) listed() (n int) {
	for _, r := range w.Photos.Requests() {
		if r.Op == photos.List {
			n++
		}
	}
	return n
}

// What an order cost stays with the channel that placed it, and only who approves there moves it away.
func TestAnOrderThatMovesAwayCountsWhereItWasPlaced(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Workspace.Invite("#weddings", "olga")
	maria, olga := w.person("maria"), w.person("olga")
	monthLimit(maria, "2")
	moves := "/order move " + w.another(maria, "Red hats").ID + " <#C0WEDDINGS|weddings>"
	maria.Type(moves)
	maria.SeesEphemeral("Only @Olga and operators move orders out of")
	olga.Goto("#shoots")
	olga.Type(moves)
	olga.SeesEphemeral("Moved")
	asksFirst(w, maria, "Blue hats") // two images more
	require.Len(t, w.Photos.Orders(), 1)
	w.quiet()
}
