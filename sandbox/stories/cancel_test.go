package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnOrderIsCanceledInItsTime(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.place(maria, "Wrong photos")
	maria.Type("/order cancel")
	maria.SeesModal("Cancel order")
	maria.Sees("promises to take it back until")
	maria.Fill("Reason", "These are the wrong photos.")
	maria.Submit()
	maria.SeesInThread("Wrong photos", "Canceled by Maria")
	maria.CloseModal()
	maria.SeesInThread("Wrong photos", "These are the wrong photos.")
	maria.SeesNoButton("Cancel Order")
	require.Equal(t, "canceled", w.order().Status)
	require.Equal(t, []string{"These are the wrong photos."}, w.order().CancelReason)

	// The card's menu asks in its own words, and needs no window.
	w.another(maria, "Wrong again")
	maria.PressOn("Wrong again", "Cancel order")
	maria.Sees("promises to take it back until")
	maria.Press("Keep Order")
	maria.PressOn("Wrong again", "Cancel order")
	maria.Press("Cancel Order")
	maria.SeesInThread("Wrong again", "Canceled by Maria")
	maria.SeesNoButton("Cancel order")
}
