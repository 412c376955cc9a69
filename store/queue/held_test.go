package queue

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAClaimIsHeldUntilItsLeaseIsOver(t *testing.T) {
	require.NoError(t, Held(t.Context()), "outside a handler")
	var end leaseEnd
	ctx := context.WithValue(t.Context(), leaseKey{}, &end)
	end.set(time.Now().Add(time.Minute))
	require.NoError(t, Held(ctx))
	end.set(time.Now())
	require.ErrorIs(t, Held(ctx), ErrLostClaim)
}

// Without an option a dead process keeps its jobs for six seconds.
func TestALeaseIsSixSeconds(t *testing.T) {
	require.Equal(t, 6*time.Second, Options{}.withDefaults().Lease)
	require.Equal(t, time.Second, Options{Lease: time.Second}.withDefaults().Lease)
}
