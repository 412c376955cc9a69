package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/tenants"
)

func TestWhatIsKnownOfTheNamesOfAnAccount(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		known := func(account string) tenants.Names {
			t.Helper()
			n, err := s.AccountNames.Of(ctx, account)
			require.NoError(t, err)
			return n
		}
		note := func(account string, n tenants.Names) tenants.Names {
			t.Helper()
			n, err := s.AccountNames.NoteNames(ctx, account, n)
			require.NoError(t, err)
			require.Equal(t, n, known(account))
			return n
		}
		tells := func(account, job string) bool {
			t.Helper()
			tells, err := s.AccountNames.TellNames(ctx, account, job)
			require.NoError(t, err)
			return tells
		}
		require.False(t, known("a").Prove(order.NameLength{}.And(order.ProvenLength("[K7Q2XM]"))), "nothing is known yet")
		long, short := order.ProvenLength("Smith wedding [K7Q2XM]"), order.ProvenLength("Foo [K7Q2XM]")
		note("a", tenants.Names{Kept: long})
		require.True(t, note("a", tenants.Names{Kept: short}).Prove(long), "it does not know less")
		require.False(t, tells("a", "j1"))
		require.True(t, note("a", tenants.Names{Own: true}).Own)
		require.True(t, note("a", tenants.Names{Kept: long}).Own, "one name that is kept proves nothing any more")
		require.False(t, known("a").Prove(short))

		require.True(t, tells("a", "j1"))
		require.True(t, tells("a", "j1"), "its job was delivered again")
		require.False(t, tells("a", "j2"))
		require.NoError(t, s.AccountNames.NamesTold(ctx, false))
		require.True(t, tells("a", "j2"))
		require.NoError(t, s.AccountNames.NamesTold(ctx, true))
		require.False(t, tells("a", "j2"))

		require.Equal(t, tenants.Names{}, known("b"))
		require.Equal(t, tenants.Names{Kept: short}, note("b", tenants.Names{Kept: short}), "another account begins anew")
		require.Equal(t, tenants.Names{}, known("a"))
	})
}

func TestAnotherAccountKeepsNamesUntilItsAnswersSayOtherwise(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		a := tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "k"}
		b := tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "other"}
		known := func() bool {
			t.Helper()
			n, err := s.AccountNames.Of(ctx, a.ID())
			require.NoError(t, err)
			return n.Own
		}
		note := func() {
			t.Helper()
			_, err := s.AccountNames.NoteNames(ctx, a.ID(), tenants.Names{Own: true})
			require.NoError(t, err)
		}
		note()
		require.NoError(t, s.Connection.NoteConnected(ctx, a, tenants.Connection{}))
		require.True(t, known(), "it is the same account")
		require.NoError(t, s.Connection.NoteConnected(ctx, b, tenants.Connection{}))
		require.NoError(t, s.Connection.NoteConnected(ctx, a, tenants.Connection{}))
		require.False(t, known())
		note()
		require.NoError(t, s.Removals.BeginForgetting(ctx, time.Now()))
		require.False(t, known())
	})
}
