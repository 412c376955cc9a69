package store_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/retention"
	"darkroom/store/tenants"
)

func TestAnAccountPrintsWithoutSecrets(t *testing.T) {
	a := tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "k3y", Secret: "s3cret"}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "account", a, "pointer", &a)
	for _, text := range []string{fmt.Sprint(a), fmt.Sprintf("%v %+v %#v %s", a, a, a, &a), log.String(), a.Host(), a.ID()} {
		require.NotContains(t, text, "k3y")
		require.NotContains(t, text, "s3cret")
	}
	require.Equal(t, "api.example.com", a.Host())
}

func TestWhoseAccountItIs(t *testing.T) {
	a := tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "k"}
	same, slash, key, address := a, a, a, a
	same.Secret, same.Params = "new", "json"
	slash.URL += "/"
	key.Key = "other"
	address.URL = "https://api.example.com/v2"
	c := tenants.Connection{Print: a.ID()}
	require.False(t, c.Other(same), "a new secret is the same account")
	require.False(t, c.Other(slash))
	require.True(t, c.Other(key))
	require.True(t, c.Other(address))
	require.False(t, tenants.Connection{}.Other(a), "there was none yet")
}

func TestWhatWasPutBeforeDataWasForgottenGoesWithIt(t *testing.T) {
	at := time.Unix(1_700_000_000, 0)
	require.False(t, tenants.Connection{}.Forgot(at), "nothing was forgotten")
	c := tenants.Connection{Forgetting: at}
	require.True(t, c.Forgot(at.Add(-time.Second)))
	require.True(t, c.Forgot(at))
	require.False(t, c.Forgot(at.Add(time.Second)))
}

func TestWhatIsRememberedOfAConnection(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		c, err := s.Connection.Read(ctx)
		require.NoError(t, err)
		require.Equal(t, tenants.Connection{}, c)

		a := tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "k"}
		require.NoError(t, s.Connection.NoteConnected(ctx, a, tenants.Connection{}))
		require.NoError(t, s.Connection.SetLeaving(ctx, tenants.LeavingKeeps))
		c, err = s.Connection.Read(ctx)
		require.NoError(t, err)
		require.Equal(t, tenants.Connection{Host: "api.example.com", Print: a.ID(), Leaving: tenants.LeavingKeeps}, c)

		has, err := s.Connection.HasOrders(ctx)
		require.NoError(t, err)
		require.False(t, has)
		place(t, s, "1")
		has, err = s.Connection.HasOrders(ctx)
		require.NoError(t, err)
		require.True(t, has)
	})
}

// A draft counts as an order as long as its order is being placed or may be out, and the draft is kept.
func TestAnOrderThatMayBeOutIsOneOfTheWorkspace(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx, d := t.Context(), store.Draft{ID: "d", Team: "T1", User: "UMARIA", Attempt: 1, State: store.DraftOpen}
		for _, step := range []struct {
			state store.DraftState
			want  bool
		}{
			{store.DraftOpen, false}, {store.DraftPlacing, true}, {store.DraftUnknown, true}, {store.DraftDiscarded, false},
		} {
			d.State = step.state
			require.NoError(t, s.Drafts.SaveDraft(ctx, d))
			has, err := s.Connection.HasOrders(ctx)
			require.NoError(t, err)
			require.Equal(t, step.want, has, "%s", step.state)
		}
		d.ID, d.State = "e", store.DraftUnknown
		require.NoError(t, s.Drafts.SaveDraft(ctx, d))
		_, err := retention.NewPeople(s).Forget(ctx, "UMARIA", false)
		require.NoError(t, err)
		has, err := s.Connection.HasOrders(ctx)
		require.NoError(t, err)
		require.False(t, has, "who filled it in is forgotten")
	})
}

// A forgetting that began meanwhile is not ended by a connection that was read before it.
func TestWhoConnectsKnowsOfForgetting(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		a, b := tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "k"}, tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "l"}
		require.NoError(t, s.Connection.NoteConnected(ctx, a, tenants.Connection{}))
		before, err := s.Connection.Read(ctx)
		require.NoError(t, err)
		require.NoError(t, s.Removals.BeginForgetting(ctx, time.Unix(1_700_000_000, 123_000_000)))
		require.ErrorIs(t, s.Connection.NoteConnected(ctx, a, before), tenants.ErrForgetting)
		now, err := s.Connection.Read(ctx)
		require.NoError(t, err)
		require.NotZero(t, now.Forgetting)
		require.Empty(t, now.Print)
		require.NoError(t, s.Connection.NoteConnected(ctx, a, now))
		require.ErrorIs(t, s.Connection.NoteConnected(ctx, a, now), tenants.ErrForgetting, "another one has it ended")

		require.NoError(t, s.Connection.NoteConnected(ctx, b, tenants.Connection{}))
		now, err = s.Connection.Read(ctx)
		require.NoError(t, err)
		require.False(t, now.Other(a) || now.Other(b), "nobody knows yet which of them is kept")
		now, err = s.Connection.ConfirmConnected(ctx)
		require.NoError(t, err)
		require.True(t, now.Other(a))
		require.False(t, now.Other(b))
	})
}

func TestWhenDataIsForgottenAfterTheAppWasRemoved(t *testing.T) {
	gone := time.Unix(1_700_000_000, 0)
	for leaving, want := range map[tenants.Leaving]time.Time{
		tenants.LeavingForgets30: gone.Add(30 * 24 * time.Hour), tenants.LeavingForgets: gone, tenants.LeavingKeeps: {},
	} {
		at, ever := leaving.Forgets(gone)
		require.Equal(t, leaving != tenants.LeavingKeeps, ever)
		require.Equal(t, want, at)
	}
}

// A removal goes on from what is kept of it, until somebody connects the workspace or decides anew.
func TestARemovalIsGoneOnWith(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		place(t, s, "1")
		since := time.Unix(1_700_000_000, 123_000_000).UTC()
		r, err := s.Removals.BeginRemoval(ctx, since, true)
		require.NoError(t, err)
		r.Walk, err = s.Removals.ForgetPage(ctx, r.Walk)
		require.NoError(t, err)
		r.At = since.Add(time.Hour)
		goesOn, err := s.Removals.SaveRemoval(ctx, r)
		require.NoError(t, err)
		require.True(t, goesOn)
		c, err := s.Connection.Read(ctx)
		require.NoError(t, err)
		require.True(t, c.Removing())
		require.Equal(t, r, c.Removal)
		require.True(t, c.Busy(since.Add(time.Hour)))
		require.False(t, c.Busy(since.Add(2*time.Hour)))

		for name, end := range map[string]func() error{
			"another decision": func() error { return s.Removals.BeginForgetting(ctx, since.Add(time.Second)) },
			"a new account":    func() error { return s.Connection.NoteConnected(ctx, tenants.ServiceAccount{Key: "k"}, c) },
		} {
			require.NoError(t, end(), name)
			goesOn, err = s.Removals.SaveRemoval(ctx, r)
			require.NoError(t, err)
			require.False(t, goesOn, name)
			if c, err = s.Connection.Read(ctx); err != nil || c.Removing() {
				t.Fatal(name, err)
			}
			_, err = s.Removals.BeginRemoval(ctx, since, true)
			require.NoError(t, err)
			c, err = s.Connection.Read(ctx)
			require.NoError(t, err)
		}
		for r.Walk = (tenants.WorkspaceForgetting{}); !r.Walk.Done; {
			r.Walk, err = s.Removals.ForgetPage(ctx, r.Walk)
			require.NoError(t, err)
		}
		c, err = s.Connection.Read(ctx)
		require.NoError(t, err)
		require.Equal(t, tenants.Connection{Forgetting: since, Forgotten: true}, c)
	})
}
