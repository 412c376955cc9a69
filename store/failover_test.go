package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
)

// Redis confirms a write before its replicas have it: at the start, operators read what a failover may lose.
func TestDurabilitySaysWhatAFailoverCosts(t *testing.T) {
	t.Parallel()
	main, replica := storetest.Start(t), storetest.Start(t)
	s := newStore(main.Client())
	require.NoError(t, main.Client().ConfigSet(t.Context(), "appendfsync", "always").Err())
	require.Empty(t, s.Server.Durability(t.Context()), "alone, and on disk before it confirms")
	host, port, _ := strings.Cut(strings.TrimPrefix(main.URL(), "redis://"), ":")
	require.NoError(t, replica.Client().ReplicaOf(t.Context(), host, port).Err())
	require.Eventually(t, func() bool {
		return strings.Contains(strings.Join(s.Server.Durability(t.Context()), " "), "failover can lose what it confirmed")
	}, 30*time.Second, 10*time.Millisecond)
}
