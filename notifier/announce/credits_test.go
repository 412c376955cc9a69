package announce_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

// Remaining credits were shown for the readers of the first channel. If the order moves before that post,
// nobody has checked the new channel's readers.
func TestTheCreditsStayWhereTheOrderWasPlaced(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	_, err := r.Changes.Move(t.Context(), orderID, weddings, "U0MARIA")
	require.NoError(t, err)
	r.works(t)
	require.Equal(t, []string{"card", "placed", "moved:g2"}, r.thread(t, weddings))
	require.NotContains(t, r.reply(t, weddings, "placed").Text, "credits left")

	r = newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	require.Contains(t, r.reply(t, shoots, "placed").Text, "88 credits left")
}
