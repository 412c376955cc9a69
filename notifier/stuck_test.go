package notifier_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
	"darkroom/upstream"
)

// A workspace may forbid edits after a while: a new card for every change would then
// fill the channel.
func TestACardThatCannotBeEditedIsNotPostedAnew(t *testing.T) {
	for _, code := range []string{"edit_window_closed", "cant_update_message"} {
		t.Run(code, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			r.happens(t, upstream.Reviewing, 0)
			r.announce(t)
			before, err := r.Order(t.Context(), order)
			require.NoError(t, err)
			r.w.Misbehave("chat.update", workspace.Fails(code), 1000)
			r.happens(t, upstream.Closed, 0)
			r.announce(t)
			after, err := r.Order(t.Context(), order)
			require.NoError(t, err)
			require.Equal(t, before.CardTS, after.CardTS)
			require.Equal(t, []string{"card", "placed", "ready:r0", "approved"}, r.thread(t, shoots))
			for _, m := range r.w.Messages(shoots) {
				require.True(t, m.TS == after.CardTS || m.ThreadTS == after.CardTS, "no card but the first")
			}
		})
	}
}
