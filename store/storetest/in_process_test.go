package storetest_test

import (
	"net"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
)

// A client's pool dials on its own, also while a test ends. The race detector sees it when that meets the end of the server.
func TestARedisInThisProcessIsClosedWhileSomebodyDials(t *testing.T) {
	t.Parallel()
	for n := range 200 {
		m := storetest.NewInProcess()
		var dials sync.WaitGroup
		for range 4 {
			dials.Go(func() {
				if c, err := m.Dial(); err == nil {
					_ = c.Close()
				}
			})
		}
		for range n % 20 {
			runtime.Gosched()
		}
		m.Close()
		dials.Wait()
		_, err := m.Dial()
		require.ErrorIs(t, err, net.ErrClosed, "and nobody starts it again")
	}
}
