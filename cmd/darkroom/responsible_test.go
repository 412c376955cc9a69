package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards/ops"
	"darkroom/cmd/darkroom/tenants"
	"darkroom/sandbox"
	photo "darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// saying is how many of some messages say something.
func saying(all []string, words string) (n int) {
	for _, text := range all {
		if strings.Contains(text, words) {
			n++
		}
	}
	return n
}

// TestWhoConnectedAWorkspaceHearsOfWhatConcernsIt: that its service is down and back, and that its credits are low; and
// nobody in another workspace does.
func TestWhoConnectedAWorkspaceHearsOfWhatConcernsIt(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"studio", "agency"}, func(o *sandbox.ManyOptions) {
		o.Workspaces[0].Credits, o.Workspaces[1].Credits = "20", "500"
	}, "LOW_CREDITS=20")
	w.open()
	olga, maria := w.in("studio", "olga"), w.in("studio", "maria")
	w.place(maria, "Spring shoes")
	w.place(w.in("agency", "maria"), "A wedding in May")
	for range 3 {
		maria.Type("/order balance")
		maria.SeesEphemeral("Credits left: 19")
	}
	w.eventually(func() bool {
		return saying(w.heard("studio", "U0OLGA"), "*19 credits* left, fewer than 20") == 1
	}, "their account is low")

	w.Photos("studio").Misbehave(photo.Any, photo.ResetBeforeCommit(), -1)
	olga.SeesDM(ops.ServiceDown)
	w.Photos("studio").Behave()
	require.Eventually(t, func() bool { return saying(w.heard("studio", "U0OLGA"), ops.ServiceBack) == 1 }, time.Minute, 50*time.Millisecond)
	for _, once := range []string{"credits* left", ops.ServiceDown, ops.ServiceBack} {
		require.Equal(t, 1, saying(w.heard("studio", "U0OLGA"), once), once)
		require.Zero(t, saying(w.heard("studio", "U0MARIA"), once), once)
	}
	require.Empty(t, w.heard("agency", "U0OLGA"))
	require.NotContains(t, w.metrics(), `"`+w.Workspace("agency").ID()+`"`, "no series is of one workspace")
}

// TestWhoIsToldWhenWhoConnectedIsGone: the person who added the app; if they are deactivated, too, nobody.
func TestWhoIsToldWhenWhoConnectedIsGone(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"studio"}, nil)
	studio := w.Workspace("studio")
	studio.AddUser(workspace.User{ID: "U0ADA", Name: "ada", RealName: "Ada", Admin: true})
	w.add("studio", "olga")
	w.connect("studio", "ada")
	its, err := w.app.many.Apps.Of(t.Context(), studio.ID())
	require.NoError(t, err)
	tell := func(sentence string) bool {
		said, err := its.TellOps(t.Context(), sentence)
		require.NoError(t, err)
		return said
	}
	gone := func(name string) {
		u := studio.User(name)
		u.Deleted = true
		studio.SetUser(u)
	}
	require.True(t, tell("One."))
	require.Equal(t, 1, saying(w.heard("studio", "U0ADA"), "One.\n_I tell you because you connected"))
	gone("ada")
	require.True(t, tell("Two."))
	require.Equal(t, 1, saying(w.heard("studio", "U0OLGA"), "Two.\n_I tell you because you added me"))
	gone("olga")
	require.False(t, tell("Three."))
	require.NoError(t, w.app.many.Directory.Accounts.Disconnect(t.Context(), studio.ID()))
	all, err := tenants.ResponsibleIn(t.Context(), w.app.many.Directory, studio.ID())
	require.NoError(t, err)
	require.Equal(t, []tenants.Person{{User: "U0OLGA"}}, all)
	require.Empty(t, w.heard("studio", "U0MARIA"))
	require.Len(t, w.heard("studio", "U0ADA"), 1)
}
