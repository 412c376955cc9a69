package cards_test

import (
	"testing"
	"time"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/stretchr/testify/require"
)

// After `darkroom forget` no text sends people to a person who left.
func TestWhoLeftIsNeitherAskedNorCalled(t *testing.T) {
	left := cardstest.Of("beach", 1).Tracked(order.StatusReviewing)
	left.Owner.Requester = order.FormerPerson
	require.Contains(t, cards.MoveDenied(left), "Nothing was changed. Ask an operator.")

	p := new(kit.Page)
	cards.EditorReply(p, left, order.Event{Kind: order.EventEditor, Words: []string{"Which crop?"}}, cards.Thumbs{})
	require.NotContains(t, cardstest.Pretty(t, p.Message()), order.FormerPerson)

	approved := order.Event{Kind: order.EventApproved, Actor: order.FormerPerson, At: cardstest.Now}
	require.Equal(t, "Somebody who left approved it a moment ago. ", cards.First(&approved, "U0BEN", cardstest.Now.Add(time.Second)))
	require.Equal(t, "Somebody who left asked", cards.Request{Event: order.Event{Actor: order.FormerPerson}}.Who())
}
