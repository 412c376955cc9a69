package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

// replaced delivers a picture again, under the same revision.
func replaced(o *order.Order) {
	o.EditedImages = []order.EditedImage{{ID: "i2", Name: "a.jpg"}}
}

const otherImages = "has other photos now than those you saw"

// beside returns the button beside the current pictures.
func beside(r *commandstest.Rig, id string) string {
	r.T.Helper()
	t, err := r.Store.Orders.Order(r.T.Context(), id)
	require.NoError(r.T, err)
	return cards.SeenValue(t)
}

func TestPicturesThatCameAfterTheFormWasOpenedAreShownFirst(t *testing.T) {
	for name, open := range map[string]func(r *commandstest.Rig, id string){
		"by its button": func(r *commandstest.Rig, id string) { r.Presses(cards.ActionApprove, beside(r, id)) },
		"by a line":     func(r *commandstest.Rig, _ string) { r.Types("approve order1 Lovely") },
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.InReview()
				open(r, id)
				require.NotContains(r.T, r.Screen.Modal(), otherImages)
				r.Service.Edit(id, replaced)
				r.Approves()
				require.Contains(r.T, r.Screen.Modal(), otherImages)
				require.Contains(r.T, r.Screen.Modal(), "Nothing was approved")
				require.Zero(r.T, r.Service.Approves)
				require.Empty(r.T, r.Events(order.EventApproved))

				r.Approves() // what it shows now
				require.Len(r.T, r.Events(order.EventApproved), 1)
			})
		})
	}
}

func TestTheButtonsOfOlderPicturesShowTheNewOnes(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		old := beside(r, id)
		r.Service.Edit(id, replaced)
		r.Record()
		r.Presses(cards.ActionApprove, old)
		require.Contains(r.T, r.Screen.Modal(), otherImages)
		r.Presses(cards.ActionRevise, old)
		require.Contains(r.T, r.Screen.Modal(), otherImages)
		r.Presses(cards.ActionApprove, beside(r, id))
		require.NotContains(r.T, r.Screen.Modal(), otherImages)
		r.Approves()
		require.Len(r.T, r.Events(order.EventApproved), 1)
	})
}

func TestAnApprovalOfUnknownOutcomeIsNotSentForOtherPictures(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Service.NextApprove = append(r.Service.NextApprove, func(func() order.Order) (order.Order, error) {
			replaced(r.Service.Find(id)) // while nobody knew whether it had arrived
			return order.Order{}, &order.Error{Op: "approve", Outcome: order.ErrUnknown}
		})
		r.Presses(cards.ActionApprove, beside(r, id))
		r.Approves()
		r.Settle(time.Minute)
		require.Equal(r.T, 1, r.Service.Approves)
		require.Contains(r.T, r.Screen.Modal(), otherImages)
		require.Empty(r.T, r.Events(order.EventApproved))
		t, err := r.Store.Orders.Order(r.T.Context(), id)
		require.NoError(r.T, err)
		require.Nil(r.T, t.Intent)
	})
}

func TestChangesAreNotAskedForOfPicturesNobodySaw(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		window := r.Opens("maria", cards.ActionRevise, beside(r, id))
		r.Service.Edit(id, func(o *order.Order) { o.EditedImages[0].UploadedAt = time.Now() }) // the same picture, once more
		r.Sends("maria", window, map[string]string{"1 · a.jpg": "Brighter"})
		r.Settle(time.Second)
		require.Empty(r.T, r.Events(order.EventChanges))
		require.Contains(r.T, r.Shows(window), otherImages)
		require.Contains(r.T, r.Shows(window), "Brighter", "the words are kept")
	})
}
