package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/storetest"
)

// adopt tracks an order made elsewhere.
func adopt(t *testing.T, s *store.Store, id string) {
	t.Helper()
	_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{ID: id, Owner: owner, Adopted: true, Order: anOrder(order.StatusEditing, 0)})
	require.NoError(t, err)
}

// relay is Maria's message, to which the service answers with these entries; nil: its answer
// shows no conversation.
func relay(t *testing.T, s *store.Store, id, words string, shown []order.Entry) []order.Event {
	t.Helper()
	intent := order.Intent{Verb: order.VerbMessage, Actor: "UMARIA", Words: []string{words}, Job: words, At: time.Now()}
	require.NoError(t, s.Changes.Intend(t.Context(), id, intent))
	now, err := s.Orders.Order(t.Context(), id)
	require.NoError(t, err)
	_, events, err := s.Changes.RecordAnswer(t.Context(), id, now.Version, talk(order.Order{}, shown...), words)
	require.NoError(t, err)
	return events
}

// contents are the words of conversation events.
func contents(events []order.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, e.Words...)
	}
	return all
}

func TestAnAdoptedOrderWithoutAConversationHasNoHistory(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		adopt(t, s, "1")
		record(t, s, "1", talk(order.Order{}, []order.Entry{}...))
		_, events := record(t, s, "1", order.Order{Conversation: []order.Entry{}})
		assert.Empty(t, events)
		_, events = record(t, s, "1", talk(order.Order{}, entry("service", "Which sky?", 0)))
		assert.Equal(t, []string{"Which sky?"}, contents(events))
	})
}

func TestWhatWasWrittenBeforeAnOrderIsTakenOverAgainIsHistory(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		adopt(t, s, "1")
		talked := []order.Entry{entry("client", "hello", 0)}
		relay(t, s, "1", "hello", slices.Clone(talked))
		untrack(t, s, "1")
		retrack(t, s, "1", anOrder(order.StatusEditing, 0))
		talked = append(talked, entry("service", "to whom?", 1), entry("client", "to Ben", 2))
		events := relay(t, s, "1", "to Ben", slices.Clone(talked))
		assert.Equal(t, []string{"to Ben"}, contents(events))
		_, events = record(t, s, "1", talk(order.Order{}, append(talked, entry("service", "hi Ben", 3))...))
		assert.Equal(t, []string{"hi Ben"}, contents(events))
	})
}

// chat is an order's conversation at the service, and what was told of it here.
type chat struct {
	t       *testing.T
	s       *store.Store
	id      string
	history int // so many entries are older than our ownership
	entries []order.Entry
	told    []order.Event
}

func (c *chat) write(from, words string) {
	c.entries = append(c.entries, order.Entry{From: from, Content: words, CreatedAt: time.Now()})
}

// latest is an answer with the last n entries; nil for none.
func (c *chat) latest(n int) []order.Entry {
	if n == 0 {
		return nil
	}
	return slices.Clone(c.entries[max(0, len(c.entries)-n):])
}

func (c *chat) relay(words string, shown int) {
	c.write("client", words)
	c.told = append(c.told, relay(c.t, c.s, c.id, words, c.latest(shown))...)
}

func (c *chat) show(entries []order.Entry) {
	_, events := record(c.t, c.s, c.id, order.Order{Conversation: entries})
	c.told = append(c.told, events...)
}

// Whatever part of a conversation the answers show, in whatever sequence: the history of an
// adopted order is silent, our own messages are told with who wrote them, every later entry
// is told, nothing twice, and what one answer brings is told oldest first.
func TestAnyAnswersTellEveryEntryOnce(t *testing.T) {
	t.Parallel()
	s := newStore(storetest.Client(t))
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		c := &chat{t: t, s: s, id: fmt.Sprint("talk", n)}
		if adopted := rapid.Bool().Draw(rt, "adopted"); adopted {
			adopt(t, s, c.id)
			for i := range rapid.IntRange(0, 3).Draw(rt, "history") {
				c.write(rapid.SampledFrom([]string{"client", "service"}).Draw(rt, "from"), fmt.Sprint("old ", i))
			}
			c.history = len(c.entries)
		} else {
			place(t, s, c.id)
		}
		c.relay("first", rapid.IntRange(0, 9).Draw(rt, "shown"))
		for i := range rapid.IntRange(0, 8).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "step") {
			case 0:
				c.write("service", fmt.Sprint("editor ", i))
			case 1:
				c.relay(fmt.Sprint("ours ", i), rapid.IntRange(0, 9).Draw(rt, "shown"))
			case 2:
				c.show(c.latest(rapid.IntRange(1, 9).Draw(rt, "latest")))
			case 3: // an answer that is older than what we know
				c.show(slices.Clone(c.entries[c.history : c.history+1+rapid.IntRange(0, len(c.entries)-c.history-1).Draw(rt, "early")]))
			}
		}
		c.show(c.latest(len(c.entries)))
		c.check(rt)
	})
}

func (c *chat) check(rt *rapid.T) {
	told := contents(c.told)
	want := []string{}
	for _, e := range c.entries[c.history:] {
		want = append(want, e.Content)
	}
	slices.Sort(want)
	got := slices.Sorted(slices.Values(told))
	if !slices.Equal(want, got) {
		rt.Fatalf("said %v, told %v", want, told)
	}
	for _, e := range c.told {
		if (e.Kind == order.EventMessage) != (e.Actor == "UMARIA") {
			rt.Fatalf("%s %q by %q", e.Kind, e.Words, e.Actor)
		}
	}
}

// The same words again and again are told as often as one answer showed them at most,
// and never more often than they were said, whatever the answers show.
func TestTheSameWordsAreNeverToldMoreOftenThanSaid(t *testing.T) {
	t.Parallel()
	s := newStore(storetest.Client(t))
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		c := &chat{t: t, s: s, id: fmt.Sprint("same", n)}
		if rapid.Bool().Draw(rt, "adopted") {
			adopt(t, s, c.id)
		} else {
			place(t, s, c.id)
		}
		said := map[string]int{}
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			words := rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "words")
			switch rapid.IntRange(0, 2).Draw(rt, "step") {
			case 0:
				c.write("service", words)
				said["editor"+words]++
			case 1:
				c.relay(words, rapid.IntRange(0, 5).Draw(rt, "shown"))
				said["message"+words]++
			case 2:
				c.show(slices.DeleteFunc(c.latest(len(c.entries)), func(order.Entry) bool { return rapid.Bool().Draw(rt, "hidden") }))
			}
		}
		told := map[string]int{}
		for _, e := range c.told {
			told[string(e.Kind)+e.Words[0]]++
		}
		for what, times := range told {
			if times > said[what] {
				rt.Fatalf("%s told %d times, said %d times", what, times, said[what])
			}
		}
	})
}
