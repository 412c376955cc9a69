package cards

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/order"
)

// After `darkroom forget` nobody is sent to a person who is not there.
func TestWhoLeftIsNeitherAskedNorCalled(t *testing.T) {
	left := scene{"beach", 1}.tracked(order.StatusReviewing)
	left.Owner.Requester = order.FormerPerson
	require.Contains(t, MoveDenied(left), "Nothing was changed: ask an operator.")

	p := new(builder)
	editorReply(p, left, order.Event{Kind: order.EventEditor, Words: []string{"Which crop?"}}, Thumbs{})
	require.NotContains(t, pretty(t, p.message()), order.FormerPerson)

	approved := order.Event{Kind: order.EventApproved, Actor: order.FormerPerson, At: now}
	require.Equal(t, "Somebody who left approved it a moment ago. ", First(&approved, "U0BEN", now.Add(time.Second)))
	require.Equal(t, "Somebody who left asked", request{order.Event{Actor: order.FormerPerson}}.who())
}
