package stories

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
)

// old is a service that says of every order that it was placed twenty minutes ago.
func old(o *sandbox.Options) {
	o.Photos.ClockSkew = time.Hour
	o.Photos.Now = func() time.Time { return time.Now().Add(-20 * time.Minute) }
}

func TestAPausedNewOrderIsCanceled(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Paused at once")
	require.NoError(t, w.Photos.Pause(order.ID))
	maria.SeesInThread("Paused at once", "Paused")
	maria.PressOn("Paused at once", "Cancel order")
	maria.SeesModal("Cancel order")
	maria.Fill("Reason", "Wrong photos.")
	maria.Submit()
	maria.SeesInThread("Paused at once", "Canceled by @Maria")
	require.Equal(t, "canceled", w.order().Status)
}

func TestTheServiceSaysWhetherAnOrderInReviewIsCanceled(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Too quick")
	w.deliver(maria, order.ID)
	maria.SeesNoButtonOn("Ready for review", "Cancel order")
	maria.PressOn("You can cancel until", "Cancel order")
	maria.SeesModal("Cancel order")
	maria.Submit()
	maria.Sees("The service says:")
	maria.Sees("invalid order status")
	require.Equal(t, "reviewing", w.order().Status)
}

func TestNoPickerIsOpenedWithoutAChoice(t *testing.T) {
	t.Parallel()
	w := open(t, old)
	maria := w.person("maria")
	w.another(maria, "Old silver")
	w.another(maria, "Old gold")
	maria.Type("/order cancel these are the wrong ones")
	maria.SeesEphemeral("No order here can be canceled")
	maria.SeesEphemeral("these are the wrong ones")
	maria.Type("/order message Softer")
	maria.SeesEphemeral("Which order? 2 fit.")
	maria.Choose("Type a part of its name", "Old gold")
	maria.SeesModal("Message the editor")
	maria.SeesValue("Message", "Softer")
	maria.Cancel()

	maria.Goto("#weddings") // where nobody ordered anything
	maria.Type("What do you think of the horizon?")
	maria.MessageShortcut("What do you think of the horizon?", "Send to editor")
	maria.SeesModal("Message the editor")
	maria.Sees("No order here is open")
	maria.Sees("What do you think of the horizon?")
	maria.CloseModal()
	maria.MessageShortcut("What do you think of the horizon?", "Add as reference")
	maria.Sees("No order here is open")
}
