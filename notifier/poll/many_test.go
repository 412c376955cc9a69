package poll_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
	"darkroom/order"
)

func TestAThousandActiveOrdersCostFiftyPagesATick(t *testing.T) {
	t.Parallel()
	s := serviceOf(1000)
	n := following(s, upTo(1000)...)
	p := newPoller(t, poll.Config{Service: s, Store: n.parts()})
	for range 2 {
		require.NoError(t, p.Poll(t.Context()))
		require.Len(t, s.asked(), 50)
		require.Empty(t, n.recorded, "a quiet tick writes nothing")
	}
	for i := range 10 {
		s.set(fmt.Sprint("o", 100*i), order.StatusReviewing, 0)
	}
	require.NoError(t, p.Poll(t.Context()))
	asked := strings.Join(s.asked(), "\n")
	require.Equal(t, 50, strings.Count(asked, "list"))
	require.Equal(t, 10, strings.Count(asked, "fetch"))
	require.Len(t, n.recorded, 10)
}
