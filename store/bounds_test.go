package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// A service that sends new lines without end costs the record little, and what is cut is told once.
func TestAnOrderStopsToTellWhatAServiceSendsWithoutEnd(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		for answer := range 8 {
			var lines []order.Entry
			for n := range 1500 {
				lines = append(lines, entry("service", fmt.Sprint(answer, "/", n, strings.Repeat(" ", 500), "."), answer*2000+n))
			}
			record(t, s, "1", talk(order.Order{}, lines...))
		}
		events, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		assert.InDelta(t, order.MaxEvents, len(events), 2)
		var cuts []string
		for _, e := range events {
			if e.Kind == order.EventCut {
				cuts = append(cuts, e.ID)
			}
		}
		assert.Equal(t, []string{order.CutEntries, order.CutEvents}, cuts)
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Len(t, now.Order.Conversation, order.MaxEntries)

		require.NoError(t, s.Changes.Intend(t.Context(), "1", order.Intent{Verb: order.VerbMessage, Actor: "UMARIA", Words: []string{"Enough!"}, Job: "j"}))
		_, events = record(t, s, "1", talk(order.Order{}, entry("client", "Enough!", 90_000), entry("service", "No.", 90_001)))
		require.Len(t, events, 1, "what is said from here goes on")
		assert.Equal(t, "UMARIA", events[0].Actor)
		now, events = record(t, s, "1", anOrder(order.StatusClosed, 0))
		assert.Equal(t, []order.EventKind{order.EventApproved}, kinds(events), "and so does its end")
		assert.Nil(t, now.Intent)
	})
}

// A service may replace what it delivered at each round: not every round is kept.
func TestFewEventsKeepPicturesOfTheirOwn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		for round := range 30 {
			record(t, s, "1", delivered(round, fmt.Sprint("picture", round)))
			record(t, s, "1", anOrder(order.StatusRevising, round+1))
		}
		events, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		ready := 0
		for _, e := range events {
			if e.Kind == order.EventReady {
				ready++
				require.Len(t, e.Order.EditedImages, 1, "some are shown for each")
			}
		}
		require.Equal(t, 30, ready)
		keys, err := rdb.Keys(t.Context(), "*events:1").Result()
		require.NoError(t, err)
		docs, err := rdb.LRange(t.Context(), keys[0], 0, -1).Result()
		require.NoError(t, err)
		assert.Equal(t, 20, strings.Count(strings.Join(docs, "\n"), `"edited_images"`))
	})
}
