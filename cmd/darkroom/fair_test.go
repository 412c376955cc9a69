package main

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	photo "darkroom/sandbox/photos"
	slackbox "darkroom/sandbox/workspace"
	"darkroom/store"
)

// TestANoisyWorkspaceTakesNothingFromAQuietOne: its people ask for hundreds of things, its service hangs and Slack limits
// it, and beside it, in the same part of Redis, somebody orders in the usual way.
func TestANoisyWorkspaceTakesNothingFromAQuietOne(t *testing.T) {
	t.Parallel()
	const asked, share = 200, 16
	w := openManyTown(t, []string{"noisy", "quiet"}, nil)
	w.open()
	noisy, ctx := w.Workspace("noisy"), t.Context()
	w.Photos("noisy").Misbehave(photo.Any, photo.Hang(), -1)
	t.Cleanup(w.Photos("noisy").Release)
	noisy.Misbehave("chat.postMessage", slackbox.TooMany(5*time.Minute), 10_000)
	its, err := w.app.many.Apps.Of(ctx, noisy.ID())
	require.NoError(t, err)
	for n := range asked {
		id := fmt.Sprint("o", n)
		_, err := its.Store.Changes.AddOrder(ctx, store.NewOrder{
			ID: id, Owner: store.Owner{Team: noisy.ID(), Channel: "C0SHOOTS", Requester: "U0MARIA"}, Reference: fmt.Sprint("R", n),
			Order: order.Order{Status: order.StatusEditing, OrderedAt: time.Now()},
		})
		require.NoError(t, err)
		asker := answers.Asker{Team: noisy.ID(), User: "U0MARIA", Channel: "C0SHOOTS", Request: id, At: time.Now()}
		require.NoError(t, its.Jobs.Putter.Put(ctx, job.Message, "message:"+id, "order:"+id, jobs.MessageArgs{Asker: asker, Order: id, Text: "Brighter, please."}))
	}
	inHand := func() int {
		n, err := w.rdb.HGet(ctx, w.queue().Keyspace().Key("q", "shares"), noisy.ID()).Result()
		require.NoError(t, err)
		most, err := strconv.Atoi(n)
		require.NoError(t, err)
		return most
	}
	w.eventually(func() bool { return inHand() == share }, "it has all of its share")

	maria := w.in("quiet", "maria")
	w.place(maria, "Spring shoes")
	require.NoError(t, w.Photos("quiet").Deliver(w.Photos("quiet").Orders()[0].ID))
	maria.SeesBroadcast("Ready for review")
	require.LessOrEqual(t, inHand(), share, "and no more")
	left, err := w.queue().Inspector().Stats(ctx)
	require.NoError(t, err)
	require.Greater(t, left.Jobs, asked/2, "which was long before its own things were done")
	require.Empty(t, w.Photos("noisy").Orders())
}
