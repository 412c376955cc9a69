package poll_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
	"darkroom/order"
)

// Each poll is interrupted after its first calls, as when replicas come and go. No order is always the
// last.
func TestEveryOrderHasItsTurnThoughTicksAreCutShort(t *testing.T) {
	t.Parallel()
	s := serviceOf(40)
	n := following(s, upTo(40)...)
	for i := range 40 {
		id := fmt.Sprint("o", i)
		s.hidden[id] = true // each costs a call
		if i%10 == 9 {
			s.set(id, order.StatusReviewing, 0)
		}
	}
	p := newPoller(t, poll.Config{Service: s, Store: n.parts()})
	for range 1000 {
		ctx, cut := context.WithCancel(t.Context())
		left := 6
		s.fetching = func() {
			if left--; left == 0 {
				cut()
			}
		}
		_ = p.Poll(ctx) // cut short
		cut()
	}
	require.ElementsMatch(t, []string{"o9 reviewing", "o19 reviewing", "o29 reviewing", "o39 reviewing"}, n.recorded)
}
