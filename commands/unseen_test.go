package commands

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/order"
)

// replaced is a picture handed in once more, under the same revision.
func replaced(o *order.Order) {
	o.EditedImages = []order.EditedImage{{ID: "i2", Name: "a.jpg"}}
}

const otherImages = "has other images now than those you looked at"

// beside is the button beside the pictures that there are now.
func (r *rig) beside(id string) string {
	r.t.Helper()
	t, err := r.store.Order(r.t.Context(), id)
	require.NoError(r.t, err)
	return cards.SeenValue(t)
}

func TestPicturesThatCameAfterTheFormWasOpenedAreShownFirst(t *testing.T) {
	for name, open := range map[string]func(r *rig, id string){
		"by its button": func(r *rig, id string) { r.presses(cards.ActionApprove, r.beside(id)) },
		"by a line":     func(r *rig, _ string) { r.types("approve order1 Lovely") },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				id := r.inReview()
				open(r, id)
				require.NotContains(r.t, r.screen.modal(), otherImages)
				r.service.edit(id, replaced)
				r.approves()
				require.Contains(r.t, r.screen.modal(), otherImages)
				require.Contains(r.t, r.screen.modal(), "Nothing was approved")
				require.Zero(r.t, r.service.approves)
				require.Empty(r.t, r.approvals())

				r.approves() // what it shows now
				require.Len(r.t, r.approvals(), 1)
			})
		})
	}
}

func TestTheButtonsOfOlderPicturesShowTheNewOnes(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		old := r.beside(id)
		r.service.edit(id, replaced)
		r.record()
		r.presses(cards.ActionApprove, old)
		require.Contains(r.t, r.screen.modal(), otherImages)
		r.presses(cards.ActionRevise, old)
		require.Contains(r.t, r.screen.modal(), otherImages)
		r.presses(cards.ActionApprove, r.beside(id))
		require.NotContains(r.t, r.screen.modal(), otherImages)
		r.approves()
		require.Len(r.t, r.approvals(), 1)
	})
}

func TestAnApprovalOfUnknownOutcomeIsNotSentForOtherPictures(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		r.service.nextApprove = append(r.service.nextApprove, func(func() order.Order) (order.Order, error) {
			replaced(r.service.find(id)) // while nobody knew whether it had arrived
			return order.Order{}, &order.Error{Op: "approve", Outcome: order.ErrUnknown}
		})
		r.presses(cards.ActionApprove, r.beside(id))
		r.approves()
		r.settle(time.Minute)
		require.Equal(r.t, 1, r.service.approves)
		require.Contains(r.t, r.screen.modal(), otherImages)
		require.Empty(r.t, r.approvals())
		t, err := r.store.Order(r.t.Context(), id)
		require.NoError(r.t, err)
		require.Nil(r.t, t.Intent)
	})
}

func TestChangesAreNotAskedForOfPicturesNobodySaw(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		window := r.opens("maria", cards.ActionRevise, r.beside(id))
		r.service.edit(id, func(o *order.Order) { o.EditedImages[0].UploadedAt = time.Now() }) // the same picture, once more
		r.sends("maria", window, map[string]string{"1 · a.jpg": "Brighter"})
		r.settle(time.Second)
		require.Empty(r.t, r.eventsOf(order.EventChanges))
		require.Contains(r.t, r.shows(window), otherImages)
		require.Contains(r.t, r.shows(window), "Brighter", "the words are kept")
	})
}
