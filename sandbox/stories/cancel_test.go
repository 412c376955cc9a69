package stories

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
)

func TestAnOrderIsCanceledInItsTime(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.place(maria, "Wrong photos")
	maria.Sees("You can cancel until")
	maria.PressOn("Wrong photos", "Cancel order")
	maria.SeesModal("Cancel order")
	maria.Fill("Reason", "These are the wrong photos.")
	maria.Submit()
	maria.SeesInThread("Wrong photos", "Canceled by @Maria")
	maria.CloseModal()
	maria.SeesInThread("Wrong photos", "These are the wrong photos.")
	maria.SeesNoButton("Cancel order")
	require.Equal(t, "canceled", w.order().Status)
	require.Equal(t, []string{"These are the wrong photos."}, w.order().CancelReason)
}

func TestTooLateToCancelIsSaidInTheServicesWords(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Photos.CancelWindow = time.Millisecond })
	maria := w.person("maria")
	order := w.place(maria, "Too late")
	maria.Type("/order cancel " + order.ID + " we changed our minds")
	maria.SeesModal("Cancel order")
	maria.SeesValue("Reason", "we changed our minds")
	maria.Submit()
	maria.Sees("deadline passed")
	maria.Sees("we changed our minds")
	require.Equal(t, "editing", w.order().Status)
}
