package store_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

func TestADraftIsKeptSevenDays(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		_, err := s.Drafts.Draft(t.Context(), "d")
		require.ErrorIs(t, err, store.ErrNoDraft)
		want := store.Draft{ID: "d", User: "UMARIA", URLs: []string{"http://a/b.jpg"}, State: store.DraftOpen, Attempt: 1}
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), want))
		got, err := s.Drafts.Draft(t.Context(), "d")
		require.NoError(t, err)
		assert.WithinDuration(t, time.Now(), got.UpdatedAt, time.Minute)
		got.UpdatedAt = time.Time{}
		assert.Equal(t, want, got)
		assert.InDelta(t, (7 * 24 * time.Hour).Seconds(), rdb.TTL(t.Context(), "{darkroom}:draft:d").Val().Seconds(), 60)
	})
}

func TestOfTwoWindowsOnOneDraftOneWins(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		d := store.Draft{ID: "d", Attempt: 1, State: store.DraftOpen}
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), d))
		var won atomic.Int32
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				got, ok, err := s.Drafts.Submit(t.Context(), d)
				assert.NoError(t, err)
				assert.Equal(t, store.DraftPlacing, got.State)
				if ok {
					won.Add(1)
				}
			})
		}
		wg.Wait()
		assert.Equal(t, int32(1), won.Load())
	})
}

func TestTheAttemptGrowsOnlyAfterARefusalOrTryAgain(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		d, ok, err := s.Drafts.Submit(t.Context(), store.Draft{ID: "d", Attempt: 1, State: store.DraftOpen})
		require.NoError(t, err)
		require.True(t, ok, "a draft no longer kept is submitted all the same")
		assert.Equal(t, 1, d.Attempt)

		first := d
		d.State, d.Problems, d.Attempt = store.DraftRefused, []string{"insufficient balance"}, 2
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), d))
		_, ok, err = s.Drafts.Submit(t.Context(), first)
		require.NoError(t, err)
		require.False(t, ok, "a repeat of the refused submission is not a new one")
		other := d
		d, ok, err = s.Drafts.Submit(t.Context(), d)
		require.NoError(t, err)
		require.True(t, ok)
		assert.Equal(t, 2, d.Attempt)
		assert.Empty(t, d.Problems)
		kept, ok, err := s.Drafts.Submit(t.Context(), other)
		require.NoError(t, err)
		assert.False(t, ok)
		assert.Equal(t, 2, kept.Attempt)

		d.State = store.DraftUnknown
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), d))
		_, ok, err = s.Drafts.Submit(t.Context(), d)
		require.NoError(t, err)
		assert.False(t, ok, "unknown needs an explicit Try again")
		d, ok, err = s.Drafts.TryAgain(t.Context(), d)
		require.NoError(t, err)
		assert.True(t, ok)
		assert.Equal(t, 3, d.Attempt)
		_, ok, err = s.Drafts.TryAgain(t.Context(), d)
		require.NoError(t, err)
		assert.False(t, ok, "it is being placed")
	})
}

func TestSavingNeverTakesADraftBack(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		steps := []struct {
			state   store.DraftState
			attempt int
			want    error
		}{
			{store.DraftOpen, 1, nil},
			{store.DraftPlacing, 1, nil},
			{store.DraftOpen, 1, store.ErrDraftMoved},
			{store.DraftUnknown, 1, nil},
			{store.DraftDiscarded, 1, nil},
			{store.DraftPlacing, 2, nil},
			{store.DraftRefused, 1, store.ErrDraftMoved},
			{store.DraftUnknown, 2, nil},
			{store.DraftPlaced, 2, nil}, // late, but true
			{store.DraftUnknown, 2, store.ErrDraftMoved},
			{store.DraftOpen, 3, store.ErrDraftMoved},
			{store.DraftPlaced, 2, nil},
		}
		for _, step := range steps {
			err := s.Drafts.SaveDraft(t.Context(), store.Draft{ID: "d", State: step.state, Attempt: step.attempt})
			require.ErrorIs(t, err, step.want, "%s at %d", step.state, step.attempt)
		}
	})
}
