package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

// mine is a draft of Maria's.
func mine(id string, fill func(*store.Draft)) store.Draft {
	d := store.Draft{ID: id, Team: "T1", User: "UMARIA", Channel: "C1", Attempt: 1, State: store.DraftOpen}
	fill(&d)
	return d
}

func withURL(d *store.Draft) { d.URLs = []string{"http://a/b.jpg"} }

// unfinished is the id of Maria's unfinished draft; "" for none.
func unfinished(t *testing.T, s *store.Store) string {
	t.Helper()
	d, err := s.Drafts.Unfinished(t.Context(), "T1", "UMARIA")
	if err != nil {
		require.ErrorIs(t, err, store.ErrNoDraft)
	}
	return d.ID
}

func TestAFormIsUnfinishedWhenSomethingInItWouldBeLost(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		fills := map[string]func(*store.Draft){
			"urls":         withURL,
			"files":        func(d *store.Draft) { d.Files = []store.DraftFile{{ID: "F1"}} },
			"instructions": func(d *store.Draft) { d.Instructions = []string{"", "brighter"} },
			"project":      func(d *store.Draft) { d.ProjectName = "Smith" },
			"customer":     func(d *store.Draft) { d.CustomerID = "42" },
		}
		for name, fill := range fills {
			require.NoError(t, s.Drafts.SaveDraft(t.Context(), mine("d", fill)))
			assert.Equal(t, "d", unfinished(t, s), name)
			require.NoError(t, s.Drafts.SaveDraft(t.Context(), mine("d", func(d *store.Draft) { d.Instructions = []string{" "} })))
			assert.Empty(t, unfinished(t, s), "emptied again: %s", name)
		}
		_, err := s.Drafts.Unfinished(t.Context(), "T2", "UMARIA")
		require.ErrorIs(t, err, store.ErrNoDraft)
	})
}

// tick lets the clock of the index, in milliseconds, go on.
func tick() { <-time.After(2 * time.Millisecond) }

func TestTheDraftThatWasFilledInLastIsTheUnfinishedOne(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		older, newer := mine("older", withURL), mine("newer", withURL)
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), older))
		tick()
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), newer))
		assert.Equal(t, "newer", unfinished(t, s))

		placing, ok, err := s.Drafts.Submit(t.Context(), newer)
		require.NoError(t, err)
		require.True(t, ok)
		assert.Equal(t, "older", unfinished(t, s), "the other one is being placed")
		placing.State, placing.Attempt = store.DraftRefused, 2
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), placing))
		assert.Equal(t, "newer", unfinished(t, s), "refused")
		require.ErrorIs(t, s.Drafts.SaveDraft(t.Context(), newer), store.ErrDraftMoved)

		require.NoError(t, rdb.Del(t.Context(), "{darkroom}:draft:newer").Err())
		assert.Equal(t, "older", unfinished(t, s), "the newer one expired")
		older.State = store.DraftDiscarded
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), older))
		assert.Empty(t, unfinished(t, s))
	})
}

func TestADraftWhoseOutcomeIsUnknownIsNotOffered(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		for _, state := range []store.DraftState{store.DraftPlacing, store.DraftUnknown, store.DraftPlaced} {
			id := string(state)
			require.NoError(t, s.Drafts.SaveDraft(t.Context(), mine(id, withURL)))
			assert.Equal(t, id, unfinished(t, s))
			require.NoError(t, s.Drafts.SaveDraft(t.Context(), mine(id, func(d *store.Draft) { withURL(d); d.State = state })))
			assert.Empty(t, unfinished(t, s), state)
		}
	})
}

func TestUnfinishedDraftsAreForgottenWithTheDrafts(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		const key = "{darkroom}:unfinished:T1:UMARIA"
		long := time.Now().Add(-8 * 24 * time.Hour)
		require.NoError(t, rdb.ZAdd(t.Context(), key, redis.Z{Score: float64(long.UnixMilli()), Member: "expired"}).Err())
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), mine("d", withURL)))
		assert.Equal(t, []string{"d"}, rdb.ZRange(t.Context(), key, 0, -1).Val())
		assert.InDelta(t, (7 * 24 * time.Hour).Seconds(), rdb.TTL(t.Context(), key).Val().Seconds(), 60)
	})
}
