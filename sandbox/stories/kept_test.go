package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatWasTypedIsThereWhenTheFormIsOpenedAgain(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Summer catalogue")
	w.deliver(maria, order.ID)

	maria.PressOn("Ready for review", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.Fill("Feedback", "Lovely light.")
	maria.CloseModal()

	ben.PressOn("Ready for review", "Approve with feedback")
	ben.SeesModal("Approve order")
	ben.SeesValue("Feedback", "")
	ben.CloseModal()

	maria.PressOn("Ready for review", "Approve with feedback")
	maria.Sees("our text from")
	maria.SeesValue("Feedback", "Lovely light.")
	maria.Press("Clear Text")
	maria.DoesNotSee("your text from")
	maria.SeesValue("Feedback", "")
	maria.CloseModal()

	maria.PressOn("Ready for review", "Message the editor")
	maria.SeesModal("Message the editor")
	maria.Fill("Message", "Is it the last one?")
	maria.CloseModal()
	maria.PressOn("Ready for review", "Message the editor")
	maria.SeesValue("Message", "Is it the last one?")
	maria.Submit()
	maria.SeesInThread("Summer catalogue", "Is it the last one?")
	maria.CloseModal()
	maria.PressOn("Ready for review", "Message the editor")
	maria.SeesModal("Message the editor")
	maria.SeesValue("Message", "")
	maria.CloseModal()
	require.Zero(t, w.order().Approvals)
}
