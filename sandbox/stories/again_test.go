package stories

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
)

// The longest story comes first: it waits until an order that the service may still be
// working on is surely not there. Other clients order all the time meanwhile: no list holds
// still.
func TestAnOrderThatNeverArrivedIsTheirsToPlaceOrToDiscard(t *testing.T) {
	t.Parallel()
	w := openAtOnce(t, func(o *sandbox.Options) {
		o.Photos.Crowd = photos.Crowd{Size: 20_000, Every: 300 * time.Millisecond}
	})
	w.shortWaits()
	patient := person.Options{Patience: time.Minute}
	maria := person.In(t, w.Workspace, "maria", patient)
	ben := person.In(t, w.Workspace, "ben", patient)
	w.Photos.Misbehave(photos.Create, photos.ResetBeforeCommit(), 2)
	w.fillOrder(maria, "Never arrived")
	maria.Submit()
	w.fillOrder(ben, "Not wanted any more")
	ben.Submit()
	maria.Sees("Still checking")
	ben.Sees("Still checking")
	ben.CloseModal() // the answer finds him all the same

	maria.Sees("Your order was not placed")
	maria.PressTwice("Try Again")
	maria.Sees("Order placed")
	closeAll(maria)
	maria.SeesInThread("Never arrived", "Placed")
	require.Equal(t, 1, w.countCards("Never arrived"))

	ben.Goto("@darkroom")
	ben.SeesDM("Your order was not placed")
	ben.Press("Discard")
	ben.Press("Discard") // yes
	ben.Sees("Discarded. The order will not be placed")
	w.quiet()
	w.order()
}
