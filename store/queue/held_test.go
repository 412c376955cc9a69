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
