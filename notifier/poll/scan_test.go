package poll_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/order"
)

func TestAServiceThatIsAwayIsNotAskedForWhatIsGone(t *testing.T) {
	t.Parallel()
	withLossyService(t, 3, func(d *lossyService) {
		d.forgets("o1")
		d.ticks(16 * time.Minute)
		require.Equal(d.t, lost, d.happened("o1"))
		d.s.refuses = order.ErrUnavailable
		d.s.asked()
		for range 60 {
			<-time.After(30 * time.Second)
			require.Error(d.t, d.tick())
		}
		require.NotContains(d.t, d.s.asked(), "fetch o1")
		d.s.refuses = nil
		d.remembers("o1")
		d.ticks(time.Minute)
		require.Equal(d.t, again, d.happened("o1"), "as soon as it answers")
	})
}
