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
	maria.Sees("You can cancel until")
	maria.PressOn("Wrong photos", "Cancel Order")
	maria.SeesModal("Cancel order")
	maria.Fill("Reason", "These are the wrong photos.")
	maria.Submit()
	maria.SeesInThread("Wrong photos", "Canceled by @Maria")
	maria.CloseModal()
	maria.SeesInThread("Wrong photos", "These are the wrong photos.")
	maria.SeesNoButton("Cancel Order")
	require.Equal(t, "canceled", w.order().Status)
	require.Equal(t, []string{"These are the wrong photos."}, w.order().CancelReason)
}
