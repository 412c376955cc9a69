package poll_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
	"darkroom/order"
)

// A panic at one order or page does not affect other orders, and the log has its stack.
func TestAMistakeAtOneOrderCostsNoOtherItsNews(t *testing.T) {
	t.Parallel()
	for call, recorded := range map[string][]string{"fetch o0": {"o1 reviewing"}, "list 1": {"o0 reviewing", "o1 reviewing"}} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			s := serviceOf(3)
			n := following(s, 0, 1)
			s.set("o0", order.StatusReviewing, 0)
			s.set("o1", order.StatusReviewing, 0)
			var log bytes.Buffer
			var cost poll.Cost
			p := newPoller(t, poll.Config{
				Service: s, Store: n.parts(), Log: slog.New(slog.NewTextHandler(&log, nil)), Observe: func(c poll.Cost) { cost = c },
			})
			s.mistake = call
			require.ErrorContains(t, p.Poll(t.Context()), "a mistake in the program")
			require.ElementsMatch(t, recorded, n.recorded)
			require.Equal(t, call == "list 1", cost.Blind)
			require.Contains(t, log.String(), "poll panicked")
			require.Contains(t, log.String(), "fakes_test.go", "where it is")
			s.mistake = ""
			require.NoError(t, p.Poll(t.Context()))
			require.ElementsMatch(t, []string{"o0 reviewing", "o1 reviewing"}, n.recorded, "the next tick goes on")
		})
	}
}
