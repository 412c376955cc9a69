package cards_test

import (
	"testing"

	"darkroom/cards"
	"darkroom/order"

	"github.com/stretchr/testify/require"
)

func TestAnUnknownStatusIsShownAsItIs(t *testing.T) {
	require.Equal(t, "&lt;archiving&gt;", cards.StatusText("<archiving>"))
	require.Equal(t, "Not known yet", cards.StatusText(""))
	require.Equal(t, "Changes being made", cards.StatusText(order.StatusRevising))
}
