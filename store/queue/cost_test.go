package queue

import (
	"log/slog"
	"strconv"
	"testing"
	"time"

	"darkroom/store/storetest"

	"github.com/stretchr/testify/require"
)

// Redis has one thread for all replicas: what a job takes of it bounds them all. Four are what a
// worker and its client send, the others run inside scripts.
func TestAJobTakesRedisSoManyCommandsAndNoMore(t *testing.T) {
	needServer(t)
	s, err := startServer(t.TempDir()) // of its own: the counts are the server's
	require.NoError(t, err)
	defer s.kill()
	rdb := s.client()
	defer func() { _ = rdb.Close() }()
	r := byHand(t, New(rdb, Options{Logger: slog.New(slog.DiscardHandler)}))
	jobDone(t, r, Job{ID: "first", Lane: "a", Kind: "k"}) // loads the scripts
	for _, lane := range []string{"a", "b"} {             // one that is known, and a new one
		before := storetest.Spending(t, rdb)
		const jobs = 10
		for n := range jobs {
			jobDone(t, r, Job{ID: lane + strconv.Itoa(n), Lane: lane, Kind: "k"})
		}
		require.LessOrEqual(t, storetest.Spending(t, rdb).Less(before).Commands, 28*jobs)
	}
}

// TestAPollTakesRedisSoManyCommandsAndNoMore counts a whole round of a job that waits between its deliveries, among
// those of other tenants: it is due, read, claimed, and waits again.
func TestAPollTakesRedisSoManyCommandsAndNoMore(t *testing.T) {
	needServer(t)
	s, err := startServer(t.TempDir())
	require.NoError(t, err)
	defer s.kill()
	rdb := s.client()
	defer func() { _ = rdb.Close() }()
	r := byHand(t, New(rdb, Options{Share: 4, Logger: slog.New(slog.DiscardHandler)}.Beside("poll")))
	waits := func(settled string) func() {
		return func() {
			r.taken = time.Now() // nobody is dead
			tokens, err := r.tokens(t.Context(), 1)
			require.NoError(t, err)
			require.Len(t, tokens, 1)
			d, err := r.q.claims().claimLane(t.Context(), r.consumer, tokens[0], "fence")
			require.NoError(t, err)
			require.NotNil(t, d)
			ours, err := r.q.claims().settle(t.Context(), d.claim, outcome{verb: settled})
			require.NoError(t, err)
			require.True(t, ours)
			_, err = r.q.upkeep().promote(t.Context())
			require.NoError(t, err)
		}
	}
	for _, tenant := range []string{"T1", "T2"} { // this loads the scripts
		require.NoError(t, r.q.In(tenant).Wake(t.Context(), forGood, false))
		waits("wait")()
	}
	for settled, most := range map[string]int{"wait": 25, "idle": 26} {
		before := storetest.Spending(t, rdb)
		const rounds = 10
		for range rounds {
			waits(settled)()
		}
		require.LessOrEqual(t, storetest.Spending(t, rdb).Less(before).Commands, most*rounds, settled)
	}
}

// TestASweepAsksOnceOfAllThatWait: what waits for good is cheap to keep.
func TestASweepAsksOnceOfAllThatWait(t *testing.T) {
	needServer(t)
	s, err := startServer(t.TempDir())
	require.NoError(t, err)
	defer s.kill()
	rdb := s.client()
	defer func() { _ = rdb.Close() }()
	r := byHand(t, New(rdb, Options{Logger: slog.New(slog.DiscardHandler)}))
	require.NoError(t, r.q.upkeep().sweep(t.Context()))
	for n := range sweepBatch {
		job := Job{ID: strconv.Itoa(n), Lane: strconv.Itoa(n), Kind: "k"}
		_, err := r.q.Put(t.Context(), job)
		require.NoError(t, err)
		tokens, err := r.tokens(t.Context(), 1)
		require.NoError(t, err)
		d, err := r.q.claims().claimLane(t.Context(), r.consumer, tokens[0], job.ID)
		require.NoError(t, err)
		_, err = r.q.claims().settle(t.Context(), d.claim, outcome{verb: "wait", after: time.Hour})
		require.NoError(t, err)
	}
	require.NoError(t, r.q.upkeep().sweep(t.Context()))
	before := storetest.Spending(t, rdb)
	require.NoError(t, r.q.upkeep().sweep(t.Context()))
	require.LessOrEqual(t, storetest.Spending(t, rdb).Less(before).Commands, 5)
}

// byHand is a worker whose steps are taken one by one.
func byHand(tb testing.TB, q *Queue) *runner {
	tb.Helper()
	r := newRunner(tb.Context(), q, nil, newOutage(q.log, nil))
	if _, err := r.tokens(tb.Context(), 1); err != nil { // makes the group
		tb.Fatal(err)
	}
	return r
}

// jobDone puts a job and does all that a worker does for it.
func jobDone(tb testing.TB, r *runner, job Job) {
	tb.Helper()
	added, err := r.q.Put(tb.Context(), job)
	if err != nil || !added {
		tb.Fatal("not put: ", err)
	}
	r.taken = time.Now() // nobody is dead
	tokens, err := r.tokens(tb.Context(), 1)
	if err != nil || len(tokens) != 1 {
		tb.Fatal("not read: ", err)
	}
	d, err := r.q.claims().claimLane(tb.Context(), r.consumer, tokens[0], job.ID)
	if err != nil || d == nil {
		tb.Fatal("not claimed: ", err)
	}
	if ours, err := r.q.claims().settle(tb.Context(), d.claim, outcome{verb: "done"}); err != nil || !ours {
		tb.Fatal("not settled: ", err)
	}
}
