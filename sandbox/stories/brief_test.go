package stories

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What was asked for stays with the order: the channel reads it, whoever looks reads it, and the
// same is ordered again for other photos, also when the form's draft is long forgotten.
func TestWhatWasAskedForIsKeptAndOrderedAgain(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Goto("#shoots")
	beach, stairs, mood := w.Samples()[0], w.Samples()[1], w.Samples()[2]
	maria.Type("/order new " + beach + " " + stairs + " " + mood)
	maria.SeesModal("New photo order")
	maria.Fill("Instructions", "Keep the sand.\nNo <filters> & *no* frames.")
	maria.Fill("Project name", "Summer catalogue")
	maria.Fill("Customer ID", "0042")
	maria.Check("Per photo")
	maria.Submit()
	maria.Choose("1 · beach.jpg: Service type", "Extensive")
	maria.Fill("1 · beach.jpg: Instruction", "Remove the gull.")
	maria.Choose("2 · house.jpg: Service type", "Reference only")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	order := w.order()

	for _, said := range []string{
		"Keep the sand.", "No <filters> &", "2 photos · 1 reference photo · Basic · customer 0042",
		"1 · beach.jpg, Extensive: Remove the gull.", "Reference photos, not edited:", "2 · house.jpg",
	} {
		maria.SeesInThread("Summer catalogue", said)
	}
	maria.Sees("> Keep the sand. · No <filters> &") // in short, on the card
	w.forgetDrafts()
	ben := w.person("ben")
	ben.Goto("#shoots")
	ben.PressOn("Summer catalogue", "Order again")
	ben.SeesModal("New photo order")
	ben.Sees("Photos are not copied.")
	ben.Sees("Remove the gull.")
	ben.SeesValue("Instructions", "Keep the sand.\nNo <filters> & *no* frames.")
	ben.SeesValue("Project name", "Summer catalogue")
	ben.SeesValue("Customer ID", "0042")
	ben.CloseModal()
	ben.Type("/order show " + order.ID)
	ben.SeesEphemeral("Remove the gull.")
	ben.Type("/order again " + order.ID + " " + w.Samples()[2])
	ben.SeesModal("New photo order")
	ben.SeesValue("Photo links", w.Samples()[2])
	ben.Submit()
	ben.Sees("Order placed")
	require.Eventually(t, func() bool { return len(w.Photos.Orders()) == 2 }, 5*time.Second, tick)
	for _, o := range w.Photos.Orders() {
		require.Equal(t, []string{"Keep the sand.", "No <filters> & *no* frames."}, o.Instructions)
	}
}

// forgetDrafts makes Redis forget all forms, as it does after a week.
func (w *world) forgetDrafts() {
	w.t.Helper()
	rdb := asOperator(w.t, w.redis)
	drafts, err := rdb.Keys(w.t.Context(), "{darkroom}:draft:*").Result()
	require.NoError(w.t, err)
	require.NotEmpty(w.t, drafts)
	require.NoError(w.t, rdb.Del(w.t.Context(), drafts...).Err())
}
