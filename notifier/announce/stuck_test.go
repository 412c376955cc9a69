package announce_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/sandbox/workspace"
)

// A workspace may forbid late edits. A new card for every change would fill the channel.
func TestACardThatCannotBeEditedIsNotPostedAnew(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"edit_window_closed", "cant_update_message"} {
		t.Run(code, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			r.happens(t, order.StatusReviewing, 0)
			r.announce(t)
			before, err := r.Orders.Order(t.Context(), orderID)
			require.NoError(t, err)
			r.w.Misbehave("chat.update", workspace.Fails(code), 1000)
			r.happens(t, order.StatusClosed, 0)
			r.announce(t)
			after, err := r.Orders.Order(t.Context(), orderID)
			require.NoError(t, err)
			require.Equal(t, before.CardTS, after.CardTS)
			require.Equal(t, []string{"card", "placed", "ready:r0", "approved"}, r.thread(t, shoots))
			for _, m := range r.w.Messages(shoots) {
				require.True(t, m.TS == after.CardTS || m.ThreadTS == after.CardTS, "no card but the first")
			}
		})
	}
}
