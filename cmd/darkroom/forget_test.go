package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// forgetting runs the command over a Redis.
func forgetting(t *testing.T, url string, args ...string) (out, errs string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), append([]string{"forget"}, args...), []string{"REDIS_URL=" + url}, nil, &stdout, &stderr)
	return stdout.String(), stderr.String(), code
}

func TestAnOperatorSeesWhatWouldBeForgottenBeforeItIs(t *testing.T) {
	url, _ := storetest.Redis(t)
	rdb := redisClient(t, url)
	s := store.New(rdb, queue.New(rdb, queue.Options{}))
	_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
		ID: "o1", Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "UMARIA"}, Reference: "K7Q2XM",
		Order: order.Order{Status: order.StatusEditing, OrderedAt: time.Now()},
	})
	require.NoError(t, err)
	require.NoError(t, s.Documents.PutPersonal(t.Context(), "UMARIA", "typed:1", "words", time.Hour))

	out, _, code := forgetting(t, url, "UMARIA")
	require.Zero(t, code)
	require.Contains(t, out, "Would remove 0 order forms and 1 note that UMARIA filled in, typed or chose.")
	require.Contains(t, out, `Nothing was changed. "darkroom forget UMARIA --yes" does it.`)
	now, err := s.Orders.Order(t.Context(), "o1")
	require.NoError(t, err)
	require.Equal(t, "UMARIA", now.Owner.Requester)

	out, _, code = forgetting(t, url, "UMARIA", "--yes")
	require.Zero(t, code)
	require.Contains(t, out, "Made 1 order anonymous, of which they asked for 1, and ")
	now, err = s.Orders.Order(t.Context(), "o1")
	require.NoError(t, err)
	require.Equal(t, order.FormerPerson, now.Owner.Requester)

	out, _, code = forgetting(t, url, "UMARIA", "--yes")
	require.Zero(t, code)
	require.Contains(t, out, "Nothing is kept of UMARIA.")
}

func TestWhatIsNotSettledIsListedBeforeSomebodyIsForgotten(t *testing.T) {
	url, _ := storetest.Redis(t)
	rdb := redisClient(t, url)
	bury(t, rdb, "message:one")
	_, err := queue.New(rdb, queue.Options{}).Put(t.Context(), queue.Job{ID: "approve:1", Lane: "order:1", Kind: "approve", Body: []byte(`{"user":"UMARIA"}`)})
	require.NoError(t, err)
	// The dead one is theirs as well.
	require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:q:job:message:one", "body", `{"user":"UMARIA"}`).Err())

	_, errs, code := forgetting(t, url, "UMARIA", "--yes")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "nothing was removed")
	require.Contains(t, errs, job.ShortRef("approve:1")+"  approve, under way")
	require.Contains(t, errs, job.ShortRef("message:one")+`  message, could not succeed: "darkroom dead retry" or "discard" it`)
}

func TestOnlyAUserIDIsForgotten(t *testing.T) {
	for _, id := range []string{"maria", "*", "U*", "C012ABC", ""} {
		_, errs, code := forgetting(t, "redis://127.0.0.1:1", id)
		require.Equal(t, 1, code, id)
		require.Contains(t, errs, "is no user id of Slack's")
	}
	_, errs, code := forgetting(t, "", "U012ABC3DE")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "REDIS_URL is missing")
}
