package store_test

import (
	"fmt"
	"html"
	"slices"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/storetest"
)

// What we sent is told in the words that were typed, once, though it comes back escaped.
func TestASentMessageThatComesBackEscapedIsOne(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		words := `black & white, "soft" <3 &amp; such`
		assert.Equal(t, []string{words}, contents(relay(t, s, "1", words, nil)))
		shown := entry("client", html.EscapeString(words), 0)
		_, events := record(t, s, "1", talk(order.Order{}, shown))
		assert.Empty(t, events)
		_, events = record(t, s, "1", talk(order.Order{}, shown, entry("client", words, 5)))
		assert.Len(t, events, 1, "said again later")
		assert.Equal(t, []string{words}, contents(events))
	})
}

func TestTheNextRoundUnderTheSameNumberIsToldToo(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		var told []string
		for _, seen := range []order.Order{
			delivered(0, "a"), anOrder(order.StatusRevising, 0), anOrder(order.StatusPaused, 0), anOrder(order.StatusRevising, 0),
			delivered(0, "b"), anOrder(order.StatusRevising, 0), anOrder(order.StatusPaused, 0), anOrder(order.StatusRevising, 0),
			delivered(0, "c"), anOrder(order.StatusRevising, 0), delivered(0, "d"), anOrder(order.StatusClosed, 0),
		} {
			_, events := record(t, s, "1", seen)
			told = append(told, ids(events)...)
		}
		a, b, c, d := "ready:r0", "ready:r0:"+print("b"), "ready:r0:"+print("c"), "ready:r0:"+print("d")
		assert.Equal(t, []string{
			a, "changes:r1", "paused", "resumed", b, "changes:r1:" + print("b"), "paused:2", "resumed:2", c, "changes:r1:" + print("c"), d, "approved",
		}, told)
	})
}

// An order whose second delivery was recorded before rounds under one number were told apart: the
// reply to it tells.
func TestTheNextRoundOfYesterdaysOrderIsToldToo(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		record(t, s, "1", delivered(0, "b"))
		key := hashWith(t, rdb, "delivered")
		require.NoError(t, rdb.HSet(t.Context(), key, "reply:2", `{"event":2,"id":"ready:r0:`+print("b")+`","ts":"1"}`).Err())
		_, events := record(t, s, "1", anOrder(order.StatusRevising, 0))
		assert.Equal(t, []string{"changes:r1:" + print("b")}, ids(events))
	})
}

// hashWith is the key of the one hash with that field.
func hashWith(t *testing.T, rdb redis.UniversalClient, field string) string {
	t.Helper()
	keys, err := storetest.Main(t.Context(), rdb).Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	for _, key := range keys {
		if rdb.Type(t.Context(), key).Val() == "hash" && rdb.HExists(t.Context(), key, field).Val() {
			return key
		}
	}
	require.Fail(t, "no hash has "+field)
	return ""
}

// Few words, said again and again by both sides, at a service that may show the latest entries
// only, repeat itself and escape: every entry is told once.
func TestRepeatedWordsAreToldAsOftenAsTheyWereSaid(t *testing.T) {
	t.Parallel()
	s := newStore(storetest.Client(t))
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		c := &chat{t: t, s: s, id: fmt.Sprint("again", n)}
		place(t, s, c.id)
		escapes := rapid.Bool().Draw(rt, "escapes")
		answer := func(latest int) []order.Entry {
			var shown []order.Entry
			for _, e := range c.latest(latest) {
				if escapes {
					e.Content = html.EscapeString(e.Content)
				}
				shown = append(shown, slices.Repeat([]order.Entry{e}, rapid.IntRange(1, 2).Draw(rt, "times"))...)
			}
			return shown
		}
		said := map[string]int{}
		for i := range rapid.IntRange(1, 12).Draw(rt, "steps") {
			words := rapid.SampledFrom([]string{"ok", "a & b", "<3 &amp;"}).Draw(rt, "words")
			from := rapid.SampledFrom([]string{"service", "client"}).Draw(rt, "from")
			c.entries = append(c.entries, entry(from, words, i))
			latest := rapid.IntRange(1, 12).Draw(rt, "latest")
			if from == "client" {
				said["message"+words]++
				c.told = append(c.told, relay(t, s, c.id, words, answer(latest))...)
				continue
			}
			said["editor"+words]++
			c.show(answer(latest))
		}
		c.show(answer(len(c.entries)))
		told := map[string]int{}
		for _, e := range c.told {
			told[string(e.Kind)+html.UnescapeString(html.UnescapeString(e.Words[0]))]++
		}
		want := map[string]int{}
		for words, times := range said {
			want[html.UnescapeString(words)] += times
		}
		require.Equal(rt, want, told)
	})
}
