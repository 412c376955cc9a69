package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/tenants"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/sandbox/embedded"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/seal"
	"darkroom/store/storetest"
	storetenants "darkroom/store/tenants"
)

const (
	olderKey = "s3cret older key of thirty-two characters or more"
	newerKey = "s3cret newer key of thirty-two characters or more"
)

var addedAt = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// settle fills a Redis as an app for many workspaces has it: T0ACME is connected, T0BETA has removed the app, E0GRID is
// an organisation by which T0GRID has it. Two of them have a person, an order and a dead letter, all of
// the same names. The older key sealed everything.
func settle(ctx context.Context, rdb redis.UniversalClient) error {
	keys, err := seal.NewKeys(olderKey)
	if err != nil {
		return err
	}
	d := storetenants.NewDirectory(rdb, keys)
	acme := storetenants.ServiceAccount{URL: "https://photos.example/api", Key: "s3cret-key", Secret: "s3cret-secret", By: "UADMIN", At: addedAt}
	return errors.Join(
		d.Installations.Install(ctx, installation("T0ACME", "Acme\x1b[31m & Sons")), d.Installations.Install(ctx, installation("T0BETA", "Beta")), d.Installations.Install(ctx, installation("E0GRID", "Grid")),
		d.Installations.Grant(ctx, "T0GRID", "E0GRID", addedAt),
		d.Accounts.Connect(ctx, "T0ACME", acme), tenants.StoreOf(rdb, "T0ACME").Connection.NoteConnected(ctx, acme, storetenants.Connection{}),
		d.Installations.Leave(ctx, "T0BETA", addedAt.Add(24*time.Hour)),
		live(ctx, rdb, "T0ACME"), live(ctx, rdb, "T0BETA"),
	)
}

func installation(id, name string) storetenants.Installation {
	return storetenants.Installation{
		ID: id, Team: id, Name: name, BotUser: "UBOT", OrgWide: strings.HasPrefix(id, "E"), By: "UADMIN", At: addedAt,
		Token: "xoxe.xoxb-s3cret-" + id, Refresh: "xoxe-s3cret-" + id, Expires: time.Now().Add(12 * time.Hour),
	}
}

// live leaves in a workspace what people leave there.
func live(ctx context.Context, rdb redis.UniversalClient, id string) error {
	s := tenants.StoreOf(rdb, id)
	_, err := s.Changes.AddOrder(ctx, store.NewOrder{
		ID: "o1", Owner: store.Owner{Team: id, Channel: "C1", Requester: "UMARIA"}, Reference: "K7Q2XM",
		Order: order.Order{Status: order.StatusEditing, OrderedAt: time.Now()},
	})
	return errors.Join(err, s.Documents.PutPersonal(ctx, "UMARIA", "typed:1", "words", time.Hour), buryIn(ctx, rdb, id, "message:one"))
}

// buryIn makes jobs of a workspace that died.
func buryIn(ctx context.Context, rdb redis.UniversalClient, id string, ids ...string) error {
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	left := len(ids)
	q := queue.New(rdb, queue.Options{
		Keyspace: keyspace.Shard(keyspace.ShardOf(id)), Share: 16, Logger: slog.New(slog.DiscardHandler), Workers: 1,
		OnDead: func(context.Context, queue.DeadLetter) error {
			if left--; left == 0 {
				stop()
			}
			return nil
		},
	})
	for _, one := range ids {
		job := queue.Job{ID: one, Lane: "message", Kind: "message", Body: fmt.Appendf(nil, `{"text":"brighter, please","of":%q}`, id)}
		if _, err := q.In(id).Put(ctx, job); err != nil {
			return err
		}
	}
	return q.Run(ctx, func(_ context.Context, d *queue.Delivery) error {
		if d.Kind != "message" {
			return queue.Wait(time.Hour)
		}
		return queue.Dead(errors.New("the editor of " + id + " has moved house"))
	})
}

// workspaces is a command of the scripts: it starts a Redis with several workspaces, and puts its address into REDIS_URL.
func workspaces(ts *testscript.TestScript, _ bool, _ []string) {
	server, err := embedded.Start(embedded.Step)
	ts.Check(err)
	ts.Defer(server.Close)
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
	ts.Defer(func() { _ = rdb.Close() })
	ts.Check(settle(context.Background(), rdb))
	ts.Setenv("REDIS_URL", "redis://"+server.Addr())
}

// operating is a Redis with several workspaces, and the command line over it.
func operating(t *testing.T) (rdb redis.UniversalClient, does func(args ...string) (out, errs string, code int)) {
	t.Helper()
	url, _ := storetest.Redis(t)
	rdb = redisClient(t, url)
	require.NoError(t, settle(t.Context(), rdb))
	return rdb, func(args ...string) (string, string, int) {
		var out, errs bytes.Buffer
		code := run(t.Context(), args, []string{"REDIS_URL=" + url, "ENCRYPTION_KEY=" + newerKey + ", " + olderKey}, nil, &out, &errs)
		require.NotContains(t, out.String()+errs.String(), "s3cret")
		return out.String(), errs.String(), code
	}
}

func TestAnOperatorActsOnTheJobsOfOneOfManyWorkspaces(t *testing.T) {
	rdb, does := operating(t)
	bury(t, rdb, "message:two")
	list, _, code := does("dead")
	require.Zero(t, code)
	require.Regexp(t, `(?m)^REFERENCE +WORKSPACE +SINCE +KIND +WHY$`, list)
	for _, id := range []string{"T0ACME", "T0BETA"} {
		require.Regexp(t, `(?m)^`+job.ShortRef("message:one")+` +`+id+` .* the editor of `+id+` has moved house$`, list)
	}
	require.Regexp(t, `(?m)^`+job.ShortRef("message:two")+` +- `, list)
	list, _, _ = does("dead", "--workspace", "T0ACME")
	require.NotContains(t, list, "T0BETA")
	require.NotContains(t, list, job.ShortRef("message:two"))
	shown, _, _ := does("dead", "show", "message:one")
	require.Contains(t, shown, `"of": "T0ACME"`)
	require.Contains(t, shown, "workspace  T0BETA")

	_, errs, code := does("dead", "discard", "message:one")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "is of T0ACME and T0BETA: say which is meant with --workspace")
	said, _, code := does("dead", "discard", "--workspace", "T0ACME", job.ShortRef("message:one"))
	require.Zero(t, code)
	require.Contains(t, said, "is forgotten")
	said, _, code = does("dead", "retry", "message:one")
	require.Zero(t, code, "there is one left of that name")
	require.Contains(t, said, "is tried again")
	stats, err := tenants.QueueOf(rdb, "T0BETA").DeadLetters().List(t.Context(), 0)
	require.NoError(t, err)
	require.Empty(t, stats)
	list, _, _ = does("dead")
	require.NotContains(t, list, "WORKSPACE", "what is left is that of one workspace alone")
}

func TestAPersonIsForgottenInTheWorkspaceThatIsNamed(t *testing.T) {
	rdb, does := operating(t)
	_, errs, code := does("forget", "UMARIA", "--yes")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "in which workspace? Name it with --workspace")
	for _, unknown := range []string{"T0NOBODY", "E0GRID", "acme"} {
		_, errs, code = does("forget", "UMARIA", "--yes", "--workspace", unknown)
		require.Equal(t, 1, code)
		require.Contains(t, errs, "no workspace")
	}
	out, _, code := does("forget", "UMARIA", "--workspace", "T0ACME")
	require.Zero(t, code)
	require.Contains(t, out, `"darkroom forget UMARIA --workspace T0ACME --yes" does it.`)
	out, _, code = does("forget", "UMARIA", "--workspace", "T0ACME", "--yes")
	require.Zero(t, code)
	require.Contains(t, out, "Made 1 order anonymous")
	for id, who := range map[string]string{"T0ACME": order.FormerPerson, "T0BETA": "UMARIA"} {
		now, err := tenants.StoreOf(rdb, id).Orders.Order(t.Context(), "o1")
		require.NoError(t, err)
		require.Equal(t, who, now.Owner.Requester)
	}
	out, _, code = does("forget", "UMARIA", "--workspace", "-")
	require.Zero(t, code)
	require.Contains(t, out, "Nothing is kept of UMARIA.")
}

func TestAnIdIsUnknownOnlyWhenRedisSaysSo(t *testing.T) {
	rdb, does := operating(t)
	names := keyspace.Shard(keyspace.ShardOf("T0ACME")).Key("workspaces")
	require.NoError(t, rdb.Set(t.Context(), names, "what cannot be read", 0).Err())
	_, errs, code := does("forget", "UMARIA", "--workspace", "T0ACME", "--yes")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "WRONGTYPE")
	require.NotContains(t, errs, "no workspace")
}

func TestAWorkspaceIsForgottenAndItsNeighbourStays(t *testing.T) {
	rdb, does := operating(t)
	out, _, code := does("workspaces", "forget", "T0ACME")
	require.Zero(t, code)
	require.Contains(t, out, "T0ACME, Acme [31m & Sons: the app is there since 2026-11-20.")
	require.Contains(t, out, `Nothing was changed. "darkroom workspaces forget T0ACME --yes" does it.`)
	kept := keysOf(t, rdb, "T0ACME")
	require.NotEmpty(t, kept)

	neighbour := keysOf(t, rdb, "T0BETA")
	out, _, code = does("workspaces", "forget", "T0ACME", "--yes")
	require.Zero(t, code)
	require.Contains(t, out, "call it again in a minute")
	require.Equal(t, []string{keyspace.OfWorkspace("T0ACME").Key("connection")}, keysOf(t, rdb, "T0ACME"), "the mark that it was forgotten")
	require.Equal(t, neighbour, keysOf(t, rdb, "T0BETA"))
	list, _, _ := does("workspaces")
	require.NotContains(t, list, "T0ACME")
	require.Contains(t, list, "T0BETA")
	dead, _, _ := does("dead")
	require.NotContains(t, dead, "T0ACME")

	out, _, code = does("workspaces", "forget", "T0ACME", "--yes")
	require.Zero(t, code, "it may be called again")
	require.Contains(t, out, "No workspace T0ACME is known")
	_, _, code = does("workspaces", "forget", "E0GRID", "--yes")
	require.Zero(t, code)
	list, _, _ = does("workspaces")
	require.NotContains(t, list, "Grid")
	require.Contains(t, list, "T0GRID")
}

// keysOf are a workspace's own keys.
func keysOf(t *testing.T, rdb redis.UniversalClient, id string) []string {
	t.Helper()
	var all []string
	read := func(ctx context.Context, node redis.Cmdable) error {
		keys, err := node.Keys(ctx, keyspace.OfWorkspace(id).Key("*")).Result()
		all = append(all, keys...)
		return err
	}
	if cluster, is := rdb.(*redis.ClusterClient); is {
		var one sync.Mutex
		require.NoError(t, cluster.ForEachMaster(t.Context(), func(ctx context.Context, node *redis.Client) error {
			one.Lock()
			defer one.Unlock()
			return read(ctx, node)
		}))
	} else {
		require.NoError(t, read(t.Context(), rdb))
	}
	slices.Sort(all)
	return all
}

func TestNothingNeedsTheOlderKeyOnceAllIsSealedAnew(t *testing.T) {
	rdb, does := operating(t)
	out, _, code := does("reseal")
	require.Zero(t, code)
	require.Contains(t, out, "Sealed anew with the newest key: 3.") // two tokens and an account: that of T0BETA is gone
	out, _, code = does("reseal")
	require.Zero(t, code)
	require.Contains(t, out, "Sealed anew with the newest key: 0.\nNothing needs an older key")
	keys, err := seal.NewKeys(newerKey)
	require.NoError(t, err)
	now, err := storetenants.NewDirectory(rdb, keys).Installations.Installed(t.Context(), "T0ACME")
	require.NoError(t, err)
	require.Equal(t, "xoxe.xoxb-s3cret-T0ACME", now.Token)
}
