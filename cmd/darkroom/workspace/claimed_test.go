package workspace

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// turn is a limiter whose one turn comes when it is told to, whatever the context says: as
// for a process that was stopped while it waited, and gets on before its timers do.
type turn chan struct{}

func (t turn) Wait(context.Context) error {
	<-t
	return nil
}

// A job waits for its turn at the service between its mark and its request. Whose claim has
// ended meanwhile must not send: another replica may have.
func TestACallWhoseClaimEndedWhileItWaitedIsNotAdmitted(t *testing.T) {
	server := storetest.Start(t)
	q := queue.New(server.Client(), queue.Options{Lease: 500 * time.Millisecond})
	admitted, waits, its := make(chan error, 2), make(chan struct{}), make(turn)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- q.Run(ctx, func(ctx context.Context, d *queue.Delivery) error {
			if d.Deliveries > 1 {
				return nil
			}
			waits <- struct{}{}
			admitted <- Claimed{its}.Wait(ctx)
			server.Freeze() // no renewal is confirmed from now on
			<-ctx.Done()
			admitted <- Claimed{its}.Wait(context.WithoutCancel(ctx))
			return nil
		})
	}()
	t.Cleanup(func() { server.Thaw(); stop(); require.NoError(t, <-ended) })
	_, err := q.Put(t.Context(), queue.Job{ID: "one", Lane: "order:1", Kind: "revise"})
	require.NoError(t, err)
	<-waits
	its <- struct{}{}
	require.NoError(t, <-admitted, "its claim is held")
	its <- struct{}{}
	require.ErrorIs(t, <-admitted, queue.ErrLostClaim)
	require.NoError(t, Claimed{done(its)}.Wait(t.Context()), "who works under no claim may")
}

// done is a turn that has come.
func done(t turn) turn {
	close(t)
	return t
}
