package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/keyspace"
	"darkroom/store/tenants"
)

// listed are all entries, by id; none comes twice.
func listed(t *testing.T, d *tenants.Directory) map[string]tenants.Entry {
	t.Helper()
	all := map[string]tenants.Entry{}
	for shard := range keyspace.Shards {
		require.NoError(t, d.Entries.EachEntry(t.Context(), shard, func(e tenants.Entry) error {
			_, twice := all[e.ID]
			require.False(t, twice, e.ID)
			require.Equal(t, shard, keyspace.ShardOf(e.ID))
			all[e.ID] = e
			return nil
		}))
	}
	return all
}

func TestAnOperatorMayKnowWhereTheAppIs(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		before := tenants.NewDirectory(rdb, sealKeys(t, oldKey))
		now := tenants.NewDirectory(rdb, sealKeys(t, newKey+","+oldKey))
		blind := tenants.NewDirectory(rdb, nil)
		there, err := blind.Entries.Any(ctx)
		require.NoError(t, err)
		require.False(t, there)

		require.NoError(t, before.Installations.Install(ctx, anInstallation("T1")))
		require.NoError(t, now.Installations.Install(ctx, anOrganisation("E1")))
		require.NoError(t, now.Installations.Grant(ctx, "T2", "E1", noon))
		require.NoError(t, before.Accounts.Connect(ctx, "T2", anAccount()))
		require.NoError(t, now.Installations.Install(ctx, anInstallation("T3")))
		require.NoError(t, now.Installations.Leave(ctx, "T3", noon.Add(time.Hour)))
		there, err = blind.Entries.Any(ctx)
		require.NoError(t, err)
		require.True(t, there)

		all := listed(t, now)
		require.Len(t, all, 4)
		require.Equal(t, tenants.SealedOlder, all["T1"].Token)
		require.True(t, all["T1"].Renewable)
		require.Equal(t, "UADMIN", all["T1"].By)
		require.Equal(t, tenants.SealedNewest, all["E1"].Token)
		require.Equal(t, "E1", all["T2"].Organisation)
		require.Equal(t, tenants.SealedNone, all["T2"].Token)
		require.Equal(t, tenants.SealedOlder, all["T2"].Account)
		require.True(t, all["T2"].Connected)
		require.True(t, all["T3"].Gone.Equal(noon.Add(time.Hour)))
		require.Equal(t, tenants.SealedNone, all["T3"].Token)

		require.Equal(t, tenants.SealedUnknown, listed(t, blind)["T1"].Token)
		require.Equal(t, tenants.SealedUnreadable, listed(t, d)["T1"].Token)
		e, known, err := now.Entries.Entry(ctx, "T1")
		require.NoError(t, err)
		require.True(t, known)
		require.Equal(t, all["T1"], e)
		_, known, err = now.Entries.Entry(ctx, "T9")
		require.NoError(t, err)
		require.False(t, known)
		_, _, err = now.Entries.Entry(ctx, "T9:x")
		require.Error(t, err)
	})
}

func TestEachOfManyWorkspacesIsListedOnce(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		const most = 9000 // more than a page in each shard
		pipe := rdb.Pipeline()
		for n := range most {
			id := fmt.Sprintf("T%d", n)
			pipe.SAdd(t.Context(), keyspace.Shard(keyspace.ShardOf(id)).Key("workspaces"), id)
		}
		_, err := pipe.Exec(t.Context())
		require.NoError(t, err)
		require.Len(t, listed(t, d), most)
	})
}

// One that cannot be opened keeps no other from being sealed anew.
func TestWhatDoesNotOpenKeepsNothingFromBeingSealedAnew(t *testing.T) {
	eachDirectory(t, func(t *testing.T, _ *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		first, second := inOneShard()
		require.NoError(t, tenants.NewDirectory(rdb, sealKeys(t, "a key that is lost of thirty-two characters or more")).Installations.Install(ctx, anInstallation(first)))
		require.NoError(t, tenants.NewDirectory(rdb, sealKeys(t, oldKey)).Installations.Install(ctx, anInstallation(second)))
		d := tenants.NewDirectory(rdb, sealKeys(t, newKey+","+oldKey))
		n, err := d.Entries.Reseal(ctx, keyspace.ShardOf(first))
		require.ErrorContains(t, err, "installation of "+first)
		require.Equal(t, 1, n)
		now := listed(t, d)
		require.Equal(t, tenants.SealedUnreadable, now[first].Token)
		require.Equal(t, tenants.SealedNewest, now[second].Token)
	})
}

// inOneShard are the ids of two workspaces in one shard, in their order.
func inOneShard() (first, second string) {
	for n := 2; ; n++ {
		if id := fmt.Sprintf("T1%d", n); keyspace.ShardOf(id) == keyspace.ShardOf("T1") {
			return "T1", id
		}
	}
}
