package commands_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
)

// The shortest line with text to lose: a verb, an order and one word.
func TestALineOfOneWordMoreThanItsOrderIsShownAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Screen.Late = 1
		said := r.Says("maria", "C1", "approve "+id+" Lovely")
		require.Contains(r.T, said, "Nothing was sent")
		require.Contains(r.T, said, "/order approve "+id+" Lovely")
		r.Screen.Late = 1
		require.NotContains(r.T, r.Says("maria", "C1", "approve "+id), "/order approve")
	})
}
