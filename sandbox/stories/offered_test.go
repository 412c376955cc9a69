package stories

import (
	"testing"
	"time"

	"darkroom/sandbox"
)

// old is a service that says of every order that it was placed twenty minutes ago.
func old(o *sandbox.Options) {
	o.Photos.ClockSkew = time.Hour
	o.Photos.Now = func() time.Time { return time.Now().Add(-20 * time.Minute) }
}

func TestNoPickerIsOpenedWithoutAChoice(t *testing.T) {
	t.Parallel()
	w := open(t, old)
	maria := w.person("maria")
	w.another(maria, "Old silver")
	w.another(maria, "Old gold")
	maria.Type("/order cancel these are the wrong ones")
	maria.SeesEphemeral("No order of this channel can be canceled")
	maria.SeesEphemeral("these are the wrong ones")
	maria.Type("/order message Softer")
	maria.SeesEphemeral("Which order? 2 fit.")
	maria.Choose("Type part of its name", "Old gold")
	maria.SeesModal("Message the editor")
	maria.SeesValue("Message", "Softer")
	maria.Cancel()

	maria.Goto("#weddings") // where nobody ordered anything
	maria.Type("What do you think of the horizon?")
	maria.MessageShortcut("What do you think of the horizon?", "Send to editor")
	maria.SeesModal("Message the editor")
	maria.Sees("No order of this channel is open")
	maria.Sees("What do you think of the horizon?")
	maria.CloseModal()
	maria.MessageShortcut("What do you think of the horizon?", "Add as reference")
	maria.Sees("No order of this channel is open")
}
