package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/job"
	"darkroom/store/conn"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

func TestAnOperatorListsRetriesAndDiscardsDeadLetters(t *testing.T) {
	url, _ := storetest.Redis(t)
	bury(t, redisClient(t, url), "message:one", "message:two")
	all := func(args ...string) (string, string, int) {
		var out, errs bytes.Buffer
		code := run(t.Context(), append([]string{"dead"}, args...), []string{"REDIS_URL=" + url}, nil, &out, &errs)
		return out.String(), errs.String(), code
	}
	list, _, code := all()
	require.Zero(t, code)
	require.Contains(t, list, job.ShortRef("message:one"))
	require.Contains(t, list, "the editor has moved house")

	shown, _, _ := all("show", "message:two")
	require.Contains(t, shown, "brighter, please", "no word is lost")

	done, _, code := all("retry", job.ShortRef("message:one"))
	require.Zero(t, code)
	require.Contains(t, done, "tried again")
	done, _, code = all("discard", "message:two")
	require.Zero(t, code)
	require.Contains(t, done, "forgotten")
	list, _, _ = all("list")
	require.Contains(t, list, "There are no dead letters")

	_, errs, code := all("retry", "NOSUCH")
	require.Equal(t, 1, code)
	require.Contains(t, errs, `no dead letter "NOSUCH"`)
}

func TestDeadNeedsOnlyRedis(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, 1, run(t.Context(), []string{"dead"}, nil, nil, &out, &errs))
	require.Contains(t, errs.String(), "REDIS_URL is missing")
	require.NotContains(t, errs.String(), "SLACK_BOT_TOKEN")
}

func redisClient(t *testing.T, url string) redis.UniversalClient {
	t.Helper()
	rdb, err := conn.Connect(url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// bury makes jobs that died.
func bury(t *testing.T, rdb redis.UniversalClient, ids ...string) {
	t.Helper()
	died := make(chan string, len(ids))
	q := queue.New(rdb, queue.Options{
		Logger: slog.New(slog.DiscardHandler),
		OnDead: func(_ context.Context, l queue.DeadLetter) error {
			died <- l.ID
			return nil
		},
	})
	for _, id := range ids {
		_, err := q.Put(t.Context(), queue.Job{ID: id, Lane: id, Kind: "message", Body: []byte(`{"text":"brighter, please"}`)})
		require.NoError(t, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- q.Run(ctx, func(context.Context, *queue.Delivery) error {
			return queue.Dead(errors.New("the editor has moved house"))
		})
	}()
	for range ids {
		select {
		case <-died:
		case <-time.After(10 * time.Second):
			t.Fatal("the jobs do not die")
		}
	}
	stop()
	require.NoError(t, <-ended)
}
