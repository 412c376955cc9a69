package store_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/queue"
)

// begun is a draft as its form was opened, and the same as somebody filled it in.
func begun(t *testing.T, s *store.Store) (open, filled store.Draft) {
	t.Helper()
	open = store.Draft{
		ID: "d", Team: "T1", User: "UMARIA", Channel: "C1", From: "C9", Attempt: 1, State: store.DraftOpen, Run: "r@1",
		OpenedAt: time.Now().Round(0),
	}
	require.NoError(t, s.Drafts.SaveDraft(t.Context(), open))
	filled = open
	filled.URLs = []string{"https://a/b.jpg"}
	return open, filled
}

var placing = queue.Job{ID: "place:d:1", Lane: "draft:d", Kind: "place", Body: []byte(`{"draft":"d"}`)}

func TestOfManyUnreadSubmissionsOneWinsAndPutsItsJob(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		_, filled := begun(t, s)
		require.NoError(t, s.Documents.PutTTL(t.Context(), "late", "a view", time.Hour))
		var won atomic.Int32
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				ok, err := s.Drafts.SubmitUnread(t.Context(), filled, placing, "late")
				assert.NoError(t, err)
				if ok {
					won.Add(1)
				}
			})
		}
		all.Wait()
		require.Equal(t, int32(1), won.Load())
		kept, err := s.Drafts.Draft(t.Context(), "d")
		require.NoError(t, err)
		require.Equal(t, store.DraftPlacing, kept.State)
		require.Equal(t, filled.URLs, kept.URLs)
		require.Equal(t, int64(1), rdb.LLen(t.Context(), "{darkroom}:q:lane:draft:d").Val())
		require.Equal(t, "place", rdb.HGet(t.Context(), "{darkroom}:q:job:place:d:1", "kind").Val())
		require.ErrorIs(t, s.Documents.Get(t.Context(), "late", new(string)), store.ErrAbsent)
		_, err = s.Drafts.Unfinished(t.Context(), "T1", "UMARIA")
		require.ErrorIs(t, err, store.ErrNoDraft)
	})
}

// What is kept otherwise than a form says must be read before anything is sent of it.
func TestAnUnreadSubmissionOfAnythingElseChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		open, filled := begun(t, s)
		refused := func(what string, d store.Draft) {
			t.Helper()
			before := rdb.HGetAll(t.Context(), "{darkroom}:draft:d").Val()
			ok, err := s.Drafts.SubmitUnread(t.Context(), d, placing, "late")
			require.NoError(t, err)
			require.False(t, ok, what)
			require.Equal(t, before, rdb.HGetAll(t.Context(), "{darkroom}:draft:d").Val(), what)
			require.Zero(t, rdb.Exists(t.Context(), "{darkroom}:q:job:place:d:1").Val(), what)
		}
		for what, change := range map[string]func(d *store.Draft){
			"another person":       func(d *store.Draft) { d.User = "UEVE" },
			"another workspace":    func(d *store.Draft) { d.Team = "T2" },
			"another run of Redis": func(d *store.Draft) { d.Run = "r@2" },
			"opened elsewhere":     func(d *store.Draft) { d.From = "C8" },
			"opened then":          func(d *store.Draft) { d.OpenedAt = d.OpenedAt.Add(time.Second) },
			"a later attempt":      func(d *store.Draft) { d.Attempt = 2 },
		} {
			other := filled
			change(&other)
			refused(what, other)
		}
		for _, step := range []store.Draft{
			{State: store.DraftPlacing, Attempt: 1},
			{State: store.DraftUnknown, Attempt: 1},
			{State: store.DraftDiscarded, Attempt: 1},
			{State: store.DraftRefused, Attempt: 2},
			{State: store.DraftPlaced, Attempt: 2},
		} {
			next := open
			next.State, next.Attempt = step.State, step.Attempt
			require.NoError(t, s.Drafts.SaveDraft(t.Context(), next))
			refused(string(step.State), filled)
		}
		require.NoError(t, rdb.Del(t.Context(), "{darkroom}:draft:d").Err())
		refused("nothing is kept", filled)

		require.NoError(t, s.Drafts.SaveDraft(t.Context(), open))
		require.NoError(t, rdb.HDel(t.Context(), "{darkroom}:draft:d", "origin").Err())
		refused("kept by an earlier version", filled)
	})
}

// askedTwice is a connection that loses the first answer to everything: the client asks again.
type askedTwice struct{}

func (askedTwice) DialHook(next redis.DialHook) redis.DialHook { return next }

func (askedTwice) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		_ = next(ctx, cmd)
		return next(ctx, cmd)
	}
}

func (askedTwice) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// An answer that is lost is asked for again by the client, with the same words.
func TestAnUnreadSubmissionWhoseAnswerWasLostHasWon(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		_, filled := begun(t, s)
		rdb.AddHook(askedTwice{})
		ok, err := s.Drafts.SubmitUnread(t.Context(), filled, placing, "late")
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, int64(1), rdb.LLen(t.Context(), "{darkroom}:q:lane:draft:d").Val())
	})
}

// What is typed is kept while it is typed, and the form holds it all: nothing need be read for that.
func TestADraftThatWasEditedMeanwhileIsSubmittedUnread(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		_, filled := begun(t, s)
		_, err := s.Drafts.EditDraft(t.Context(), "d", func(d *store.Draft) error {
			d.ProjectName, d.Typed = "Smith", "17.1"
			return nil
		})
		require.NoError(t, err)
		ok, err := s.Drafts.SubmitUnread(t.Context(), filled, placing, "late")
		require.NoError(t, err)
		require.True(t, ok)
	})
}
