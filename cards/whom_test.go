package cards_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/cards"
	"darkroom/cards/ops"
	"darkroom/cards/place"
	"darkroom/order"
)

func TestWhoMayOnlyLookIsToldWhomToAsk(t *testing.T) {
	for channel, whom := range map[string]string{"C0PHOTOS": "a full member of <#C0PHOTOS>", "": "a full member of this workspace"} {
		assert.Contains(t, cards.CannotPost(channel, order.DeniedGuest), whom)
		assert.Contains(t, cards.BalanceDenied(channel, order.DeniedExternal).Text, whom)
		assert.Contains(t, place.GuestOrder(channel, order.DeniedGuest, "").Text, whom)
	}
}

func TestOneOrderGivenUpIsNotSaidToBeMany(t *testing.T) {
	assert.Contains(t, ops.OrdersGivenUp(1), "not known one of our orders, but knows others. I take it to be gone. Its channel")
	assert.Contains(t, ops.OrdersGivenUp(2), "not known 2 of our orders, but knows others. I take them to be gone. Their channels")
}
