package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store/keyspace"
	"darkroom/store/seal"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
)

const (
	oldKey = "an older key of thirty-two characters or more"
	newKey = "a newer key of thirty-two characters or more"
)

func sealKeys(t *testing.T, list string) *seal.Keys {
	t.Helper()
	keys, err := seal.NewKeys(list)
	require.NoError(t, err)
	return keys
}

// eachDirectory runs f over every kind of Redis.
func eachDirectory(t *testing.T, f func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		f(t, tenants.NewDirectory(rdb, sealKeys(t, newKey)), rdb)
	})
}

func anInstallation(id string) tenants.Installation {
	return tenants.Installation{
		ID: id, Team: id, Name: "Smith & Co", AppID: "A1", BotUser: "UBOT", Scopes: []string{"chat:write", "commands"},
		Token: "xoxe.xoxb-" + id + "-FIRST", Refresh: "xoxe-1-" + id + "-FIRST", Expires: noon.Add(12 * time.Hour), By: "UADMIN", At: noon,
	}
}

func anOrganisation(id string) tenants.Installation {
	i := anInstallation(id)
	i.Team, i.Enterprise, i.OrgWide = "", id, true
	return i
}

func anAccount() tenants.ServiceAccount {
	return tenants.ServiceAccount{URL: "https://photos.example/api", Key: "KEY-IN-CLEAR", Secret: "SECRET-IN-CLEAR", Params: "query", Numbers: "text", By: "UADMIN", At: noon}
}

func TestAnInstallationIsReadAsItWasKept(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		_, err := d.Installations.Installed(ctx, "T1")
		require.ErrorIs(t, err, tenants.ErrNotInstalled)
		require.NoError(t, d.Installations.Install(ctx, anInstallation("T1")))
		require.NoError(t, d.Installations.Install(ctx, anInstallation("T2")))
		for _, id := range []string{"T1", "T2"} {
			i, err := d.Installations.Installed(ctx, id)
			require.NoError(t, err)
			require.True(t, anInstallation(id).Expires.Equal(i.Expires))
			i.Expires, i.At = anInstallation(id).Expires, anInstallation(id).At
			require.Equal(t, fields(anInstallation(id)), fields(i))
		}
	})
}

// fields are all of an installation, which does not print itself.
func fields(i tenants.Installation) any {
	type plain tenants.Installation
	return plain(i)
}

func TestAnOrganisationsInstallationIsThatOfItsWorkspaces(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		require.NoError(t, d.Installations.Install(ctx, anOrganisation("E1")))
		_, err := d.Installations.Installed(ctx, "T1")
		require.ErrorIs(t, err, tenants.ErrNotInstalled, "nobody named the organisation yet")
		meets := func(team, enterprise string, at time.Time, want bool) {
			t.Helper()
			has, err := d.Installations.Meet(ctx, team, enterprise, at)
			require.NoError(t, err)
			require.Equal(t, want, has)
		}
		meets("T1", "E9", time.Now(), false)
		meets("T1", "E1", time.Now(), true)
		i, err := d.Installations.Installed(ctx, "T1")
		require.NoError(t, err, "met once, it is known")
		assert.Equal(t, "E1", i.ID)
		assert.Equal(t, "T1", i.Team)
		assert.Equal(t, anOrganisation("E1").Token, i.Token)
		require.NoError(t, d.Installations.Install(ctx, anOrganisation("E2")))
		require.NoError(t, d.Installations.Install(ctx, anInstallation("T2")))
		meets("T2", "E1", time.Now(), false)
		own, err := d.Installations.Installed(ctx, "T2")
		require.NoError(t, err)
		assert.Equal(t, "T2", own.ID, "its own comes first")

		require.NoError(t, d.Installations.Leave(ctx, "T1", time.Now()))
		meets("T1", "E1", time.Now().Add(time.Hour), false)
		_, err = d.Installations.Installed(ctx, "T1")
		require.ErrorIs(t, err, tenants.ErrNotInstalled, "the organisation took it from this workspace")
		require.NoError(t, d.Installations.Grant(ctx, "T1", "E1", time.Now().Add(-time.Hour)), "an event that was late")
		_, err = d.Installations.Installed(ctx, "T1")
		require.ErrorIs(t, err, tenants.ErrNotInstalled)
		require.NoError(t, d.Installations.Grant(ctx, "T1", "E1", time.Now().Add(time.Hour)))
		_, err = d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)

		require.NoError(t, d.Installations.Leave(ctx, "E1", time.Now()))
		_, err = d.Installations.Installed(ctx, "T1")
		require.ErrorIs(t, err, tenants.ErrNotInstalled)
		meets("T1", "E2", time.Now().Add(time.Hour), true)
		i, err = d.Installations.Installed(ctx, "T1")
		require.NoError(t, err, "it went to another organization")
		assert.Equal(t, "E2", i.ID)
		_, err = d.Installations.Installed(ctx, "T2")
		require.NoError(t, err)
	})
}

// TestAnOrganisationTakesTheAppOnlyFromWhomItGaveItTo: a workspace's own token is none of its business, nor what another
// organisation gave.
func TestAnOrganisationTakesTheAppOnlyFromWhomItGaveItTo(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		require.NoError(t, d.Installations.Install(ctx, anOrganisation("E1")))
		require.NoError(t, d.Installations.Install(ctx, anOrganisation("E2")))
		require.NoError(t, d.Installations.Install(ctx, anInstallation("T1")))
		require.NoError(t, d.Installations.Grant(ctx, "T1", "E1", noon))
		require.NoError(t, d.Installations.Grant(ctx, "T2", "E1", noon))
		for _, row := range []struct {
			team, enterprise string
			at               time.Time
			taken            bool
		}{
			{"T1", "E1", noon.Add(time.Hour), false},  // it added the app by itself
			{"T2", "E2", noon.Add(time.Hour), false},  // it has the app by another
			{"T2", "E1", noon.Add(-time.Hour), false}, // late: it was given again since
			{"T9", "E1", noon.Add(time.Hour), false},  // nobody knows it
			{"T2", "E1", noon.Add(time.Hour), true},
			{"T2", "E1", noon.Add(time.Hour), false}, // told twice
		} {
			taken, err := d.Installations.Withdraw(ctx, row.team, row.enterprise, row.at)
			require.NoError(t, err)
			require.Equal(t, row.taken, taken, row)
		}
		own, err := d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
		require.Equal(t, anInstallation("T1").Token, own.Token)
		_, err = d.Installations.Installed(ctx, "T2")
		require.ErrorIs(t, err, tenants.ErrNotInstalled)
		_, err = d.Installations.Withdraw(ctx, "T1", "", noon)
		require.Error(t, err, "nobody is named who took it")
	})
}

// TestWhatIsLateRevivesNoInstallation: an event that was sent before a workspace removed its own, and that names its
// organisation, does not make the workspace the organisation's; what the organisation gives it since does.
func TestWhatIsLateRevivesNoInstallation(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, _ redis.UniversalClient) {
		t.Helper()
		ctx, now := t.Context(), time.Now()
		require.NoError(t, d.Installations.Install(ctx, anOrganisation("E1")))
		require.NoError(t, d.Installations.Install(ctx, anInstallation("T1")))
		require.NoError(t, d.Installations.Leave(ctx, "T1", now))
		has, err := d.Installations.Meet(ctx, "T1", "E1", now)
		require.NoError(t, err)
		require.False(t, has)
		left, err := d.Installations.Known(ctx, "T1")
		require.NoError(t, err)
		require.True(t, left.Gone.Equal(now), "and it is still known since when it is gone")
		has, err = d.Installations.Meet(ctx, "T1", "E1", now.Add(time.Second))
		require.NoError(t, err)
		require.True(t, has)
		i, err := d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
		require.Equal(t, "E1", i.ID)
	})
}

func TestWhoeverLeavesLeavesNoToken(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		require.NoError(t, d.Installations.Leave(ctx, "T1", noon), "of one that was never there")
		require.NoError(t, d.Installations.Install(ctx, anInstallation("T1")))
		require.NoError(t, d.Installations.Leave(ctx, "T1", noon.Add(-time.Minute)), "of the installation before this one")
		_, err := d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, d.Installations.Leave(ctx, "T1", noon.Add(time.Minute)))
			_, err = d.Installations.Installed(ctx, "T1")
			require.ErrorIs(t, err, tenants.ErrNotInstalled)
			i, err := d.Installations.Known(ctx, "T1")
			require.NoError(t, err)
			require.True(t, i.Gone.Equal(noon.Add(time.Minute)))
			require.Empty(t, i.Token+i.Refresh)
		}
		require.NotContains(t, rdb.Get(ctx, keyspace.OfWorkspace("T1").Key("installation")).Val(), "sealed")
		again := anInstallation("T1")
		again.At = noon.Add(time.Hour)
		require.NoError(t, d.Installations.Install(ctx, again))
		_, err = d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
	})
}

// TestAWordOnATokenCountsWhileItIsKept: who asked about a token, and hears that it is worth nothing, takes away no other.
func TestAWordOnATokenCountsWhileItIsKept(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, _ redis.UniversalClient) {
		t.Helper()
		ctx, token := t.Context(), anInstallation("T1").Token
		require.NoError(t, d.Installations.Install(ctx, anInstallation("T1")))
		again := anInstallation("T1")
		again.Token = "xoxe.xoxb-T1-SECOND"
		for _, row := range []struct {
			token string
			left  bool
		}{{"", false}, {again.Token, false}, {token, true}, {token, false}} {
			left, err := d.Installations.LeaveWith(ctx, "T1", row.token, noon.Add(time.Hour))
			require.NoError(t, err)
			require.Equal(t, row.left, left, row.token)
		}
		require.NoError(t, d.Installations.Install(ctx, again)) // within the same second
		left, err := d.Installations.LeaveWith(ctx, "T1", token, noon)
		require.NoError(t, err)
		require.False(t, left)
		_, err = d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
	})
}

func TestAnAccountIsConnectedAndDisconnected(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		_, err := d.Accounts.Account(ctx, "T1")
		require.ErrorIs(t, err, tenants.ErrNotConnected)
		require.NoError(t, d.Accounts.Connect(ctx, "T1", anAccount()))
		got, err := d.Accounts.Account(ctx, "T1")
		require.NoError(t, err)
		require.True(t, got.At.Equal(noon))
		got.At = noon
		type plain tenants.ServiceAccount
		require.Equal(t, plain(anAccount()), plain(got))
		_, err = d.Accounts.Account(ctx, "T2")
		require.ErrorIs(t, err, tenants.ErrNotConnected)
		for range 2 {
			require.NoError(t, d.Accounts.Disconnect(ctx, "T1"))
			_, err = d.Accounts.Account(ctx, "T1")
			require.ErrorIs(t, err, tenants.ErrNotConnected)
		}
	})
}

// A key that is lost takes no workspace with it: what it sealed is replaced or erased as any other account.
func TestAnAccountThatDoesNotOpenIsReplacedOrErased(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		lost := tenants.NewDirectory(rdb, sealKeys(t, oldKey))
		for again := range 2 {
			require.NoError(t, lost.Accounts.Connect(ctx, "T1", anAccount()))
			got, err := d.Accounts.Account(ctx, "T1")
			require.ErrorIs(t, err, tenants.ErrUnreadable)
			require.ErrorIs(t, err, seal.ErrUnknownKey, "whoever runs the app reads why")
			require.NotErrorIs(t, err, tenants.ErrNotConnected)
			require.True(t, tenants.NoAccount(err))
			require.Empty(t, got.Secret)
			require.Equal(t, anAccount().By, got.By, "who connected it is no secret")
			if again == 0 {
				require.NoError(t, d.Accounts.Connect(ctx, "T1", anAccount()))
				got, err = d.Accounts.Account(ctx, "T1")
				require.NoError(t, err)
				require.Equal(t, anAccount().Secret, got.Secret)
				continue
			}
			require.NoError(t, d.Accounts.Disconnect(ctx, "T1"))
			_, err = d.Accounts.Account(ctx, "T1")
			require.ErrorIs(t, err, tenants.ErrNotConnected)
		}
		require.NoError(t, rdb.Set(ctx, keyspace.OfWorkspace("T1").Key("account"), "{", 0).Err())
		_, err := d.Accounts.Account(ctx, "T1")
		require.ErrorIs(t, err, tenants.ErrUnreadable)
		away, cancel := context.WithCancel(ctx)
		cancel()
		_, err = d.Accounts.Account(away, "T1")
		require.Error(t, err)
		require.False(t, tenants.NoAccount(err), "a Redis that is away says nothing of the account")
	})
}

// Access to Redis without the key does not make a workspace use another's secrets.
func TestADocumentInAnothersPlaceDoesNotOpen(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		require.NoError(t, d.Installations.Install(ctx, anInstallation("T1")))
		require.NoError(t, d.Accounts.Connect(ctx, "T1", anAccount()))
		for _, doc := range []string{"installation", "account"} {
			raw := rdb.Get(ctx, keyspace.OfWorkspace("T1").Key(doc)).Val()
			require.NoError(t, rdb.Set(ctx, keyspace.OfWorkspace("T2").Key(doc), raw, 0).Err())
		}
		_, err := d.Installations.Installed(ctx, "T2")
		require.ErrorIs(t, err, seal.ErrNotOurs)
		_, err = d.Accounts.Account(ctx, "T2")
		require.ErrorIs(t, err, seal.ErrNotOurs)
	})
}

func TestEachWorkspaceIsInOneShardUntilItIsErased(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		for n := range 40 {
			require.NoError(t, d.Installations.Install(ctx, anInstallation(fmt.Sprintf("T%d", n))))
		}
		require.NoError(t, d.Installations.Install(ctx, anOrganisation("E1")))
		require.NoError(t, d.Installations.Grant(ctx, "T40", "E1", noon))
		require.NoError(t, d.Accounts.Connect(ctx, "T41", anAccount()))
		require.NoError(t, d.Installations.Leave(ctx, "T3", time.Now()))
		seen := func() (all []string) {
			for shard := range keyspace.Shards {
				require.NoError(t, d.Entries.EachWorkspace(ctx, shard, func(id string) error {
					require.Equal(t, shard, keyspace.ShardOf(id))
					all = append(all, id)
					return nil
				}))
			}
			return all
		}
		require.Len(t, seen(), 42)
		require.Subset(t, seen(), []string{"T0", "T3", "T39", "T40", "T41"})
		stop := errors.New("enough")
		require.ErrorIs(t, d.Entries.EachWorkspace(ctx, keyspace.ShardOf("T0"), func(string) error { return stop }), stop)

		require.NoError(t, d.Accounts.Connect(ctx, "T0", anAccount()))
		require.NoError(t, d.Entries.Erase(ctx, "T0"))
		require.NotContains(t, seen(), "T0")
		require.Zero(t, rdb.Exists(ctx, keyspace.OfWorkspace("T0").Key("installation")).Val())
		require.Zero(t, rdb.Exists(ctx, keyspace.OfWorkspace("T0").Key("account")).Val())
		_, err := d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
	})
}

func TestWhatIsNoIDReachesNoKey(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		for _, id := range []string{"", "U1", "T", "T1:order", "T1}", "{T1}", "T 1", "*"} {
			_, known := d.Installations.Known(ctx, id)
			for _, err := range []error{
				d.Installations.Install(ctx, tenants.Installation{ID: id, Token: "x"}), d.Accounts.Connect(ctx, id, anAccount()), d.Accounts.Disconnect(ctx, id), d.Entries.Erase(ctx, id),
			} {
				require.Error(t, err, id)
			}
			if id != "" { // no workspace is named
				require.Error(t, known)
				require.NotErrorIs(t, known, tenants.ErrNotInstalled)
			}
		}
		require.Empty(t, dumpAll(t, rdb))
	})
}

func TestOlderKeysReadUntilAllIsSealedAnew(t *testing.T) {
	eachDirectory(t, func(t *testing.T, now *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		before, both := tenants.NewDirectory(rdb, sealKeys(t, oldKey)), tenants.NewDirectory(rdb, sealKeys(t, newKey+","+oldKey))
		require.NoError(t, before.Installations.Install(ctx, anInstallation("T1")))
		require.NoError(t, before.Accounts.Connect(ctx, "T1", anAccount()))
		require.NoError(t, before.Installations.Install(ctx, anOrganisation("E1")))
		require.NoError(t, before.Installations.Grant(ctx, "T2", "E1", noon))
		require.NoError(t, before.Installations.Install(ctx, anInstallation("T3")))
		require.NoError(t, before.Installations.Leave(ctx, "T3", time.Now()))
		require.NoError(t, now.Installations.Install(ctx, anInstallation("T4")))

		_, err := now.Installations.Installed(ctx, "T1")
		require.ErrorIs(t, err, seal.ErrUnknownKey)
		i, err := both.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
		require.Equal(t, anInstallation("T1").Token, i.Token)

		for _, want := range []int{3, 0} {
			n := 0
			for shard := range keyspace.Shards {
				resealed, err := both.Entries.Reseal(ctx, shard)
				require.NoError(t, err)
				n += resealed
			}
			require.Equal(t, want, n)
		}
		for _, id := range []string{"T1", "T2", "T4"} {
			i, err = now.Installations.Installed(ctx, id)
			require.NoError(t, err)
			require.NotEmpty(t, i.Refresh)
		}
		a, err := now.Accounts.Account(ctx, "T1")
		require.NoError(t, err)
		require.Equal(t, anAccount().Secret, a.Secret)
		require.Equal(t, anAccount().Params, a.Params)
		_, err = before.Installations.Installed(ctx, "T1")
		require.ErrorIs(t, err, seal.ErrUnknownKey)
	})
}

func TestAStateIsUsedOnceAndNotKeptInClear(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		state, err := d.States.NewState(ctx)
		require.NoError(t, err)
		other, err := d.States.NewState(ctx)
		require.NoError(t, err)
		require.NotEqual(t, state, other)
		require.True(t, d.States.IsState(state) && d.States.IsState(other))
		all := dumpAll(t, rdb)
		require.Len(t, all, 2)
		for key, value := range all {
			require.NotContains(t, key+value, state)
			life := rdb.PTTL(ctx, key).Val()
			require.Greater(t, life, 9*time.Minute)
			require.LessOrEqual(t, life, tenants.StateLife)
		}
		for _, row := range []struct {
			state string
			known bool
		}{{state, true}, {state, false}, {"", false}, {"another", false}, {other, true}} {
			known, err := d.States.UseState(ctx, row.state)
			require.NoError(t, err)
			require.Equal(t, row.known, known)
		}
	})
}

// A state that nobody was given is told apart without a question to Redis.
func TestAStateCannotBeMadeUp(t *testing.T) {
	t.Parallel()
	ours, theirs := sealKeys(t, newKey), sealKeys(t, oldKey)
	d := tenants.NewDirectory(redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"}), ours)
	until := func(at time.Time) []byte { return []byte(`"` + at.UTC().Format(time.RFC3339) + `"`) }
	soon := until(time.Now().Add(time.Minute))
	require.True(t, d.States.IsState(ours.Seal(soon, "oauth-state")))
	for name, state := range map[string]string{
		"nothing": "", "words": "MADE-UP", "of another key": theirs.Seal(soon, "oauth-state"), "another secret": ours.Seal(soon, "T1:installation"),
		"late": ours.Seal(until(time.Now().Add(-time.Second)), "oauth-state"), "no time": ours.Seal([]byte("1"), "oauth-state"),
	} {
		require.False(t, d.States.IsState(state), name)
	}
}

func TestInstallationsAndAccountsPrintWithoutSecrets(t *testing.T) {
	t.Parallel()
	i, a := anInstallation("T1"), anAccount()
	secrets := []string{i.Token, i.Refresh, a.Key, a.Secret, a.URL}
	for _, one := range []any{i, &i, a, &a, []tenants.Installation{i}, map[string]tenants.ServiceAccount{"a": a}, struct{ I tenants.Installation }{i}} {
		var log bytes.Buffer
		for _, handler := range []slog.Handler{slog.NewJSONHandler(&log, nil), slog.NewTextHandler(&log, nil)} {
			slog.New(handler).Info("x", "one", one, "err", fmt.Errorf("of %v: %w", one, context.Canceled))
		}
		raw, err := json.Marshal(one)
		require.NoError(t, err)
		for _, text := range []string{fmt.Sprintf("%v %+v %#v %s %q %d %x", one, one, one, one, one, one, one), log.String(), string(raw)} {
			for _, secret := range secrets {
				assert.NotContains(t, text, secret)
				assert.NotContains(t, text, fmt.Sprintf("%x", secret))
			}
		}
	}
	assert.Equal(t, "installation T1", i.String())
}

func TestAnAccountsIDIsOfItsAddressAndKey(t *testing.T) {
	t.Parallel()
	a := anAccount()
	for name, change := range map[string]func(*tenants.ServiceAccount){
		"a slash":    func(a *tenants.ServiceAccount) { a.URL += "/" },
		"capitals":   func(a *tenants.ServiceAccount) { a.URL = "HTTPS://Photos.Example/api" },
		"a secret":   func(a *tenants.ServiceAccount) { a.Secret = "another" },
		"a dialect":  func(a *tenants.ServiceAccount) { a.Params, a.BasicAuth = "body", true },
		"who did it": func(a *tenants.ServiceAccount) { a.By, a.At = "U2", time.Now() },
	} {
		same := anAccount()
		change(&same)
		assert.Equal(t, a.ID(), same.ID(), name)
	}
	for name, change := range map[string]func(*tenants.ServiceAccount){
		"key":  func(a *tenants.ServiceAccount) { a.Key = "another" },
		"host": func(a *tenants.ServiceAccount) { a.URL = "https://other.example/api" },
		"path": func(a *tenants.ServiceAccount) { a.URL = "https://photos.example/API" },
	} {
		other := anAccount()
		change(&other)
		assert.NotEqual(t, a.ID(), other.ID(), name)
	}
	assert.NotContains(t, a.ID(), a.Key)
	assert.Len(t, a.ID(), 32)
}
