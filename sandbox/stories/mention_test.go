package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever mentions the app with photos, or where some are, has their order two clicks away.
func TestAMentionWithPhotosOrdersThem(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.restart("SERVICE_PRICES=basic=1,extensive=3,reference=2")
	maria, ben := w.person("maria"), w.person("ben")
	maria.Share("@darkroom Brighten the sky.", w.picture(0), w.picture(1))
	maria.SeesEphemeral("I can order editing for these 2 photos.")
	ben.Goto("#shoots")
	ben.DoesNotSee("Order These Photos")
	maria.Press("Order These Photos")
	maria.SeesModal("New photo order")
	maria.Sees("2 photos in this order")
	maria.SeesValue("Instructions", "Brighten the sky.")
	maria.Sees("Basic about 2 credits · Extensive about 6 credits · by your price list")
	maria.Press("Place Order")
	maria.SeesModal("Order placed")
	maria.Sees("Open the order's card")
	maria.CloseModal()
	require.Len(t, w.order().Images, 2)

	ben.Share("Straight from the camera", w.picture(2))
	maria.OpenThread("Straight from the camera")
	maria.Type("@darkroom Polish the gold.")
	maria.Sees("I can order editing for this photo.")
	maria.Press("Order These Photos")
	maria.SeesModal("New photo order")
	maria.Sees("1 photo in this order")
	maria.SeesValue("Instructions", "Polish the gold.")
	maria.CloseModal()

	maria.CloseThread()
	maria.Type("@darkroom hello?")
	maria.SeesEphemeral("Mention me with photos to order their editing, or in the thread of an order to write to its editor.")
	require.Len(t, w.Photos.Orders(), 1)
}
