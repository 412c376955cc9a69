package store_test

import (
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

func TestChangesToADraftAtTheSameTimeAreAllKept(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), store.Draft{ID: "d", Team: "T1", User: "UMARIA", Attempt: 1, State: store.DraftOpen}))
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				_, err := s.Drafts.EditDraft(t.Context(), "d", func(d *store.Draft) error {
					d.URLs = append(d.URLs, strconv.Itoa(i))
					return nil
				})
				assert.NoError(t, err)
			})
		}
		wg.Wait()
		d, err := s.Drafts.Unfinished(t.Context(), "T1", "UMARIA")
		require.NoError(t, err)
		assert.ElementsMatch(t, []string{"0", "1", "2", "3", "4", "5"}, d.URLs)
	})
}

func TestADraftThatIsOnItsWayIsNotChanged(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		name := func(d *store.Draft) error { d.ProjectName = "Smith"; return nil }
		_, err := s.Drafts.EditDraft(t.Context(), "d", name)
		require.ErrorIs(t, err, store.ErrNoDraft)
		d := store.Draft{ID: "d", Attempt: 1, State: store.DraftOpen}
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), d))
		_, _, err = s.Drafts.Submit(t.Context(), d)
		require.NoError(t, err)
		kept, err := s.Drafts.EditDraft(t.Context(), "d", name)
		require.ErrorIs(t, err, store.ErrDraftMoved)
		assert.Equal(t, store.DraftPlacing, kept.State)

		d.State, d.Attempt = store.DraftRefused, 2
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), d))
		kept, err = s.Drafts.EditDraft(t.Context(), "d", name)
		require.NoError(t, err)
		assert.Equal(t, "Smith", kept.ProjectName)
		mine := errors.New("mine")
		_, err = s.Drafts.EditDraft(t.Context(), "d", func(*store.Draft) error { return mine })
		require.ErrorIs(t, err, mine)
	})
}
