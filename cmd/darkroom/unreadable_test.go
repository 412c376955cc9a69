package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/tenants"
	"darkroom/store/seal"
	storetenants "darkroom/store/tenants"
)

// TestAWorkspaceWhoseKeyIsLostGoesOnWhenItIsConnectedAgain: meanwhile it is told apart from one whose Redis is away, and
// who is responsible for it is known.
func TestAWorkspaceWhoseKeyIsLostGoesOnWhenItIsConnectedAgain(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"studio"}, nil)
	w.open()
	ctx, id := t.Context(), w.Workspace("studio").ID()
	maria := w.in("studio", "maria")
	w.place(maria, "Spring shoes")
	account, err := w.app.many.Directory.Accounts.Account(ctx, id)
	require.NoError(t, err)
	lost, err := seal.NewKeys(strings.Repeat("lost", 10))
	require.NoError(t, err)
	require.NoError(t, storetenants.NewDirectory(w.rdb, lost).Accounts.Connect(ctx, id, account))

	maria.Type("/order balance")
	maria.SeesEphemeral("A workspace admin can connect it")
	responsible, err := tenants.ResponsibleIn(ctx, w.app.many.Directory, id)
	require.NoError(t, err)
	require.Equal(t, account.By, responsible[0].User)

	account.At = time.Now()
	require.NoError(t, w.app.many.Directory.Accounts.Connect(ctx, id, account))
	require.NoError(t, w.Photos("studio").Deliver(w.Photos("studio").Orders()[0].ID))
	maria.SeesInThread("Spring shoes", "Ready for review")
}

// TestWhoseTokenIsLostReadsHowToAddTheAppAgain: Slack gives no other for its refresh token, and what answers a person needs
// no token.
func TestWhoseTokenIsLostReadsHowToAddTheAppAgain(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"studio"}, nil)
	w.open()
	ctx, id, maria := t.Context(), w.Workspace("studio").ID(), w.in("studio", "maria")
	w.place(maria, "Spring shoes")
	lost, err := w.app.many.Directory.Installations.Known(ctx, id)
	require.NoError(t, err)
	lost.Token, lost.Refresh, lost.Expires, lost.At = "xoxe.xoxb-LOST", "xoxe-1-LOST", time.Now().Add(-time.Minute), time.Now()
	require.NoError(t, w.app.many.Directory.Installations.Install(ctx, lost))
	w.app.many.Apps.Forget(id)

	w.eventually(func() bool { // a busy machine cannot confirm it at first: she types again
		maria.Type("/order balance")
		return strings.Contains(maria.Screen(), "add me again at")
	}, "she reads how to add the app again")
	w.add("studio", "olga")
	w.place(maria, "Autumn shoes")
}

// TestAnAppThatCannotUseItsRedisIsNotReady: its key opens nothing, or the data became that of an app for many.
func TestAnAppThatCannotUseItsRedisIsNotReady(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"studio"}, nil)
	w.add("studio", "olga")
	require.NoError(t, w.app.ready.usable(t.Context()))
	other := w.replica(func(c *config.Config) { c.EncryptionKey = config.Secret(strings.Repeat("lost", 10)) })
	w.eventually(func() bool { says, _ := other.ready.now(t.Context()); return says == tenants.ErrOpensNothing.Error() }, "a busy Redis tells it late")
	require.NoError(t, w.rdb.HSet(t.Context(), "{darkroom}:moved", "team", "T1").Err())
	require.ErrorIs(t, unmoved(t.Context(), w.rdb), errMoved)
}
