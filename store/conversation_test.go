package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/upstream"
)

func entry(from, content string, minute int) upstream.Entry {
	return upstream.Entry{From: from, Content: content, CreatedAt: noon.Add(time.Duration(minute) * time.Minute)}
}

func kinds(events []store.Event) []store.EventKind {
	var out []store.EventKind
	for _, e := range events {
		out = append(out, e.Kind)
	}
	return out
}

func TestEveryEntryIsToldOnceOldestFirst(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, s.Intend(t.Context(), "1", store.Intent{Verb: store.VerbMessage, Actor: "UMARIA", Words: []string{"the blue one"}, Job: "j"}))
		first := talk(upstream.Order{}, entry("service", "Which sky?", 0), entry("client", " the blue one\r\n", 1))
		now, events := record(t, s, "1", first)
		require.Equal(t, []store.EventKind{store.Editor, store.Message}, kinds(events))
		assert.Equal(t, "UMARIA", events[1].Actor)
		assert.Equal(t, []string{"Which sky?"}, events[0].Words)
		assert.Nil(t, now.Intent)

		again := append(first.Conversation[:2:2], entry("service", "Which sky?", 2))
		_, events = record(t, s, "1", talk(upstream.Order{}, again...))
		assert.Equal(t, []store.EventKind{store.Editor}, kinds(events), "the same words a second time")
		_, events = record(t, s, "1", talk(upstream.Order{}, again[2:]...))
		assert.Empty(t, events, "only the latest entries: nothing new, nothing forgotten")
		now, err := s.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Len(t, now.Order.Conversation, 3)
	})
}

func TestTheOldConversationOfAnAdoptedOrderIsSilent(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		_, err := s.Place(t.Context(), store.Placement{ID: "1", Owner: owner, Adopted: true, Order: order(upstream.Editing, 0)})
		require.NoError(t, err)
		require.NoError(t, s.Intend(t.Context(), "1", store.Intent{Verb: store.VerbMessage, Actor: "UMARIA", Words: []string{"hello"}}))
		old := []upstream.Entry{entry("client", "long ago", 0), entry("service", "yes", 1), entry("client", "hello", 2)}
		_, events := record(t, s, "1", talk(upstream.Order{}, old...))
		assert.Equal(t, []string{"hello"}, events[0].Words)
		assert.Len(t, events, 1)
		_, events = record(t, s, "1", talk(upstream.Order{}, append(old, entry("service", "new", 3))...))
		assert.Equal(t, []store.EventKind{store.Editor}, kinds(events))
		all, err := s.Events(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, []store.EventKind{store.TrackedNow, store.Message, store.Editor}, kinds(all))
	})
}

func TestAnAnswerProvesWhatItDoesNotShow(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		now := place(t, s, "1")
		intent := store.Intent{Verb: store.VerbMessage, Actor: "UMARIA", Words: []string{"hello"}, Job: "j1"}
		require.NoError(t, s.Intend(t.Context(), "1", intent))
		now, events, err := s.RecordAnswer(t.Context(), "1", now.Version, upstream.Order{}, "other")
		require.NoError(t, err)
		assert.Empty(t, events, "another job's answer proves nothing")
		now, events, err = s.RecordAnswer(t.Context(), "1", now.Version, upstream.Order{}, "j1")
		require.NoError(t, err)
		assert.Equal(t, []store.EventKind{store.Message}, kinds(events))
		_, events = record(t, s, "1", talk(upstream.Order{}, entry("client", "hello", 0)))
		assert.Empty(t, events, "shown later, it is the same message")

		now, err = s.Order(t.Context(), "1")
		require.NoError(t, err)
		intent = store.Intent{Verb: store.VerbReference, Actor: "UMARIA", Words: []string{"http://a/b.jpg"}, Job: "j2"}
		require.NoError(t, s.Intend(t.Context(), "1", intent))
		now, events, err = s.RecordAnswer(t.Context(), "1", now.Version, upstream.Order{}, "j2")
		require.NoError(t, err)
		assert.Equal(t, []store.EventKind{store.References}, kinds(events))
		assert.Nil(t, now.Intent)
	})
}
