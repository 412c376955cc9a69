package store_test

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

func TestEveryEntryIsToldOnceOldestFirst(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, s.Changes.Intend(t.Context(), "1", order.Intent{Verb: order.VerbMessage, Actor: "UMARIA", Words: []string{"the blue one"}, Job: "j"}))
		first := talk(order.Order{}, entry("service", "Which sky?", 0), entry("client", " the blue one\r\n", 1))
		now, events := record(t, s, "1", first)
		require.Equal(t, []order.EventKind{order.EventEditor, order.EventMessage}, kinds(events))
		assert.Equal(t, "UMARIA", events[1].Actor)
		assert.Equal(t, []string{"Which sky?"}, events[0].Words)
		assert.Nil(t, now.Intent)

		again := append(first.Conversation[:2:2], entry("service", "Which sky?", 2))
		_, events = record(t, s, "1", talk(order.Order{}, again...))
		assert.Equal(t, []order.EventKind{order.EventEditor}, kinds(events), "the same words a second time")
		_, events = record(t, s, "1", talk(order.Order{}, again[2:]...))
		assert.Empty(t, events, "only the latest entries: nothing new, nothing forgotten")
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Len(t, now.Order.Conversation, 3)
	})
}

func TestTheOldConversationOfAnAdoptedOrderIsSilent(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{ID: "1", Owner: owner, Adopted: true, Order: anOrder(order.StatusEditing, 0)})
		require.NoError(t, err)
		require.NoError(t, s.Changes.Intend(t.Context(), "1", order.Intent{Verb: order.VerbMessage, Actor: "UMARIA", Words: []string{"hello"}}))
		old := []order.Entry{entry("client", "long ago", 0), entry("service", "yes", 1), entry("client", "hello", 2)}
		_, events := record(t, s, "1", talk(order.Order{}, old...))
		assert.Equal(t, []string{"hello"}, events[0].Words)
		assert.Len(t, events, 1)
		_, events = record(t, s, "1", talk(order.Order{}, append(old, entry("service", "new", 3))...))
		assert.Equal(t, []order.EventKind{order.EventEditor}, kinds(events))
		all, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, []order.EventKind{order.EventTracked, order.EventMessage, order.EventEditor}, kinds(all))
	})
}

func TestAnAnswerProvesWhatItDoesNotShow(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		now := place(t, s, "1")
		intent := order.Intent{Verb: order.VerbMessage, Actor: "UMARIA", Words: []string{"hello"}, Job: "j1"}
		require.NoError(t, s.Changes.Intend(t.Context(), "1", intent))
		now, events, err := s.Changes.RecordAnswer(t.Context(), "1", now.Version, order.Order{}, "other")
		require.NoError(t, err)
		assert.Empty(t, events, "another job's answer proves nothing")
		now, events, err = s.Changes.RecordAnswer(t.Context(), "1", now.Version, order.Order{}, "j1")
		require.NoError(t, err)
		assert.Equal(t, []order.EventKind{order.EventMessage}, kinds(events))
		_, events = record(t, s, "1", talk(order.Order{}, entry("client", "hello", 0)))
		assert.Empty(t, events, "shown later, it is the same message")

		now, err = s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		intent = order.Intent{Verb: order.VerbReference, Actor: "UMARIA", Words: []string{"http://a/b.jpg"}, Job: "j2"}
		require.NoError(t, s.Changes.Intend(t.Context(), "1", intent))
		now, events, err = s.Changes.RecordAnswer(t.Context(), "1", now.Version, order.Order{}, "j2")
		require.NoError(t, err)
		assert.Equal(t, []order.EventKind{order.EventReferences}, kinds(events))
		assert.Nil(t, now.Intent)
	})
}
