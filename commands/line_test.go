package commands

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The shortest line whose words would be missed: a verb, an order and one word.
func TestALineOfOneWordMoreThanItsOrderIsShownAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.screen.late = 1
		said := r.says("maria", "C1", "approve "+id+" Lovely")
		require.Contains(r.t, said, "Nothing was sent")
		require.Contains(r.t, said, "/order approve "+id+" Lovely")
		r.screen.late = 1
		require.NotContains(r.t, r.says("maria", "C1", "approve "+id), "/order approve")
	})
}
