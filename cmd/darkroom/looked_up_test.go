package main

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store/queue"
	"darkroom/store/seal"
	"darkroom/store/tenants"
)

// foreign is the directory of a replica that has a key which the others have not got yet.
func foreign(t *testing.T, rdb redis.UniversalClient) *tenants.Directory {
	t.Helper()
	keys, err := seal.NewKeys("a key that no replica of this test has got yet")
	require.NoError(t, err)
	return tenants.NewDirectory(rdb, keys)
}

// message is a job that brings a message to an editor.
func (w *manyTown) message(workspace string) *queue.Delivery {
	w.t.Helper()
	id := w.Workspace(workspace).ID()
	asker := answers.Asker{Team: id, User: "U0MARIA", Channel: "C0SHOOTS", Request: "r1", At: time.Now()}
	body, err := json.Marshal(jobs.MessageArgs{Asker: asker, Order: "o1", Text: "Brighter, please."})
	require.NoError(w.t, err)
	return &queue.Delivery{Job: queue.Job{ID: "message:r1", Lane: "order:o1", Kind: job.Message, Body: body, Tenant: id}, PutAt: time.Now(), Deliveries: 1}
}

// requireWaits requires that a job waits and uses up no attempt.
func requireWaits(t *testing.T, err error) {
	t.Helper()
	require.EqualError(t, err, queue.Wait(5*time.Second).Error())
}

// A job that was accepted is done once its workspace can be looked up again, however long that takes: a replica that lacks
// the key says so in its log, and nobody is told that their job is dead.
func TestAJobWhoseWorkspaceCannotBeLookedUpWaits(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"studio"}, nil)
	w.open()
	ctx, id, d := t.Context(), w.Workspace("studio").ID(), w.message("studio")
	t.Run("its installation is sealed with another key", func(t *testing.T) {
		mine, err := w.app.many.Directory.Installations.Known(ctx, id)
		require.NoError(t, err)
		require.NoError(t, foreign(t, w.rdb).Installations.Install(ctx, mine))
		w.app.many.Apps.Forget(id)
		requireWaits(t, w.app.work(ctx, d))
		require.NoError(t, w.app.many.Directory.Installations.Install(ctx, mine))
	})
	t.Run("its account is", func(t *testing.T) {
		mine, err := w.app.many.Directory.Accounts.Account(ctx, id)
		require.NoError(t, err)
		require.NoError(t, foreign(t, w.rdb).Accounts.Connect(ctx, id, mine))
		requireWaits(t, w.app.work(ctx, d))
		require.NoError(t, w.app.many.Directory.Accounts.Connect(ctx, id, mine))
	})
	t.Run("Redis does not answer in time", func(t *testing.T) {
		requireWaits(t, w.app.many.Lookups.Later(ctx, d, context.DeadlineExceeded))
	})
	t.Run("it is the process that ends", func(t *testing.T) {
		gone, stop := context.WithCancelCause(ctx)
		stop(queue.ErrDrained)
		w.app.many.Apps.Forget(id)
		require.ErrorIs(t, w.app.work(gone, d), context.Canceled, "then another replica has it at once")
	})
	t.Run("Redis is away", func(t *testing.T) {
		require.ErrorIs(t, w.app.many.Lookups.Later(ctx, d, queue.ErrNoServer), queue.ErrNoServer, "which the queue waits for")
	})
}
