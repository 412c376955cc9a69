package chaos

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/shipped"
	"darkroom/store/storetest"
	"darkroom/store/storetest/topology"
)

var (
	long = flag.Bool("long", false, "also the long form: 500 orders, 200 kills, 50 faults of Redis")
	late = flag.Bool("late", false, "also put to sleep past their lease who are about to write to the service: known to fail, see doc.go")
	from = flag.String("from", os.Getenv("DARKROOM_UPGRADE_FROM"), "binary that the upgrade begins with, built with the tags of this one; default: the same under another name")
	many = flag.String("redis", "one", "on how many machines Redis is: one, sentinel or cluster")
	wait = flag.Bool("wait", true, "on several machines every write waits for a replica (wait_replicas=1)")
	crew = flag.Int("orders", 12, "of the run with a failover in its middle")
	aim  = flag.String("aim", "batch/", "the beginning of the failpoints at which some of the short form's kills are, as crops/")
	seed = flag.Uint64("seed", 3, "of the chaos; 0: of the clock")
)

var binary string

func TestMain(m *testing.M) {
	os.Exit(build(m))
}

func build(m *testing.M) int {
	flag.Parse()
	if err := together(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, err := os.MkdirTemp("", "darkroom-chaos")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }()
		binary, err = Build(dir, buildFlags()...)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano()) % 1_000_000
	}
	return m.Run()
}

// buildFlags are those of the app beside the flags of `make build`: DARKROOM_TEST_RACE=1 has it report data races.
func buildFlags() []string {
	if os.Getenv("DARKROOM_TEST_RACE") == "1" {
		return []string{shipped.Race}
	}
	return nil
}

// together begins all forms at the same time, however few processors there are: they wait far
// more than they compute, and the longest would begin last.
func together() error {
	parallel := flag.Lookup("test.parallel")
	if parallel.Value.String() != parallel.DefValue {
		return nil
	}
	return parallel.Value.Set("4")
}

func needsRedis(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath(storetest.Program()); err != nil {
		require.Empty(t, os.Getenv("DARKROOM_TEST_REQUIRE_REDIS"), "a redis-server is required: %v", err)
		t.Skip("no redis-server on PATH: chaos needs a real one")
	}
}

func check(t *testing.T, o Options) Report {
	t.Helper()
	needsRedis(t)
	o.Binary, o.Seed, o.Late, o.Log = binary, *seed, *late, t.Logf
	o.Redis, o.Server, o.Wait = topology.Kind(*many), storetest.Program(), *wait && *many != "one"
	r, err := Run(t.Context(), o)
	t.Log("\n" + r.Text)
	require.NoError(t, err)
	require.True(t, r.Clean, r.Wrong)
	return r
}

// TestShort is the short form: a minute's worth of everything but what takes minutes by
// nature. Nobody is killed between a placed order's mark and its request, and Redis is not
// killed while somebody places one: only the settlement of an unknown outcome could tell
// then, two and a half minutes later. Slack's ten seconds and the service's half minute are
// not waited for either. The long form leaves nothing out.
func TestShort(t *testing.T) {
	t.Parallel()
	check(t, Options{
		Orders: 20, Channels: 20, People: 20, Replicas: 3, Kills: 12, RedisFaults: 4, Network: 1500 * time.Millisecond, Errands: true, Aim: *aim, Aims: 5, Surely: "batch-card/after chat.postMessage", Deaths: 3, Gentle: true, Patience: time.Minute,
		Crowd: photos.Crowd{Size: 20_000, Every: 2 * time.Second}, Oblivion: 6 * time.Second,
	})
}

// TestPins is the short form of people who all point at what should change. Replicas die while crops are uploaded and added.
func TestPins(t *testing.T) {
	t.Parallel()
	r := check(t, Options{
		Orders: 24, Channels: 24, People: 24, Replicas: 3, Kills: 12, RedisFaults: 4, Network: 1500 * time.Millisecond, Pointing: true,
		Aim: "crops/", Aims: 6, Surely: "crops/after files.completeUploadExternal", Deaths: 2, Gentle: true, Patience: time.Minute,
	})
	require.GreaterOrEqual(t, r.Pins, 12)
}

// TestLong is the long form, for `make chaos`.
func TestLong(t *testing.T) {
	if !*long {
		t.Skip("only with -long")
	}
	r := check(t, Options{
		Orders: 500, Channels: 40, People: 60, Replicas: 3, Kills: 210, RedisFaults: 54, Network: 700 * time.Millisecond, Errands: true, OwnNames: true,
		Crowd: photos.Crowd{Size: 20_000, Every: 2 * time.Second}, Oblivion: 10 * time.Minute,
	})
	require.GreaterOrEqual(t, r.Kills, 200)
	require.GreaterOrEqual(t, r.Redis, 50)
	if len(r.Unkilled) > 0 {
		t.Log("nobody was killed at: ", r.Unkilled)
	}
}

// TestTheTailOfRedisIsCutOff forgets what was confirmed: nothing is done twice.
func TestTheTailOfRedisIsCutOff(t *testing.T) {
	t.Parallel()
	needsRedis(t)
	o, cuts := Options{Orders: 12, Channels: 6, People: 12, Replicas: 2, Gentle: true, Patience: 20 * time.Second}, 2
	if *long {
		o, cuts = Options{Orders: 60, Channels: 20, People: 30, Replicas: 3, Patience: 3 * time.Minute}, 5
	}
	o.Binary, o.Seed, o.Server, o.Log = binary, *seed, storetest.Program(), t.Logf
	r, err := Tail(t.Context(), o, cuts) // people give up soon: what was forgotten does not come
	t.Log("\n" + r.Text)
	require.NoError(t, err)
	require.True(t, r.Clean, r.Wrong)
}

// TestAnUpgradeAndItsRollbackLoseNothing replaces one binary by another, and that by the first one again,
// while people work.
func TestAnUpgradeAndItsRollbackLoseNothing(t *testing.T) {
	t.Parallel()
	needsRedis(t)
	before := *from
	if before == "" {
		before = filepath.Join(t.TempDir(), "darkroom-before")
		require.NoError(t, os.Symlink(binary, before))
	}
	t.Log("upgraded from ", before)
	o := Options{Orders: 18, Channels: 18, People: 9, Replicas: 3, Network: 2 * time.Second, Gentle: true, Patience: time.Minute}
	if *long {
		o.Orders, o.Channels, o.People, o.Patience = 150, 40, 30, 0
	}
	o.Binary, o.Seed, o.Log = binary, *seed, t.Logf
	r, err := Upgrade(t.Context(), o, before)
	t.Log("\n" + r.Text)
	require.NoError(t, err)
	require.True(t, r.Clean, r.Wrong)
}

// TestRecovery measures how soon another one goes on.
func TestRecovery(t *testing.T) {
	t.Parallel()
	needsRedis(t)
	rounds := 1
	if *long {
		rounds = 5
	}
	r, err := Measure(t.Context(), Options{Binary: binary, Seed: *seed, Server: storetest.Program(), Orders: 1, Channels: 1, People: 1, Replicas: 2}, rounds)
	require.NoError(t, err)
	t.Logf("the job of a dead worker goes on after %s, polling after %s (the longest of %d)",
		r.Job.Round(time.Millisecond), r.Poll.Round(time.Millisecond), rounds)
	require.Less(t, r.Job, 30*time.Second, "a lease of six seconds, on a machine that has much else to do")
	require.Less(t, r.Poll, 15*time.Second, "a lease of three seconds")
}

// TestAFailoverInTheMiddle kills the server that has our keys, whose replica is a second behind: nothing is
// done twice, and with WAIT nothing is lost. With -orders=100 it is what docs/redis.md has its figures from.
func TestAFailoverInTheMiddle(t *testing.T) {
	for _, o := range []Options{
		{Redis: topology.Sentinel, Wait: true},
		{Redis: topology.Cluster, Wait: true},
		{Redis: topology.Sentinel},
		{Redis: topology.Cluster},
	} {
		t.Run(fmt.Sprintf("%s,wait=%t", o.Redis, o.Wait), func(t *testing.T) {
			if !o.Wait && *crew < 100 {
				t.Skip("only with -orders=100")
			}
			t.Parallel()
			needsRedis(t)
			o.Binary, o.Seed, o.Server, o.Log = binary, *seed, storetest.Program(), t.Logf
			o.Orders, o.Channels, o.People, o.Replicas, o.Gentle, o.Patience = *crew, *crew/2, *crew, 2, true, 30*time.Second
			r, err := Failover(t.Context(), o)
			t.Log("\n" + r.Text)
			require.NoError(t, err)
			require.True(t, r.Clean, r.Wrong)
		})
	}
}
