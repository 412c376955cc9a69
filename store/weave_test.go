package store_test

import (
	"fmt"
	"html"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/store"
	"darkroom/store/storetest"
	"darkroom/upstream"
)

// untimed is an entry of a service that tells no times.
func untimed(from, content string) upstream.Entry {
	return upstream.Entry{From: from, Content: content}
}

func TestWhatAnAnswerAddsToAConversation(t *testing.T) {
	ours := upstream.Entry{From: "client", Content: "ok", CreatedAt: noon.Add(time.Millisecond)} // no answer showed it yet
	type entries = []upstream.Entry
	tests := map[string]struct {
		old, seen entries
		told      []string // events, oldest first
		kept      int      // entries afterwards
	}{
		"the same again":                  {entries{entry("service", "ok", 0)}, entries{entry("service", "ok", 0)}, nil, 1},
		"the latest only, the same words": {entries{entry("service", "ok", 0)}, entries{entry("service", "ok", 5)}, []string{"ok@5"}, 2},
		"an answer that repeats itself":   {nil, entries{entry("service", "ok", 0), entry("service", "ok", 0)}, []string{"ok@0"}, 1},
		"twice said, repeated":            {nil, entries{entry("service", "ok", 0), entry("service", "ok", 0), entry("service", "ok", 5)}, []string{"ok@0", "ok@5"}, 2},
		"earlier ones turn up":            {entries{entry("service", "ok", 5)}, entries{entry("service", "ok", 0), entry("service", "ok", 5)}, []string{"ok@0"}, 2},
		"one turns up in the middle":      {entries{entry("service", "ok", 0), entry("service", "ok", 5)}, entries{entry("service", "ok", 3), entry("service", "ok", 5)}, []string{"ok@3"}, 3},
		"both sides say it":               {entries{entry("service", "ok", 0)}, entries{entry("client", "ok", 0)}, []string{"ok@0"}, 2},
		"escaped":                         {entries{entry("service", "a & b <3", 0)}, entries{entry("service", "a &amp; b &lt;3", 0)}, nil, 1},
		"escaped in part, and twice":      {entries{entry("service", "a & b <3", 0)}, entries{entry("service", "a &amp;amp; b <3", 0)}, nil, 1},
		"ours is shown":                   {entries{ours}, entries{entry("client", "ok", 7)}, nil, 1},
		"ours is the nearest":             {entries{ours}, entries{entry("client", "ok", -60), entry("client", "ok", 1)}, []string{"ok@-60"}, 2},
		"without times, one more":         {entries{untimed("service", "ok")}, entries{untimed("service", "ok"), untimed("service", "ok")}, []string{"ok@0"}, 2},
		"without times, the latest":       {entries{untimed("service", "ok"), untimed("service", "ok")}, entries{untimed("service", "ok")}, nil, 2},
		"a time where there was none":     {entries{untimed("service", "ok")}, entries{entry("service", "ok", 5)}, nil, 1},
		"no time where there was one":     {entries{entry("service", "ok", 5)}, entries{untimed("service", "ok")}, nil, 1},
		"the editor's is never ours":      {entries{{From: "service", Content: "ok", CreatedAt: ours.CreatedAt}}, entries{entry("service", "ok", 5)}, []string{"ok@5"}, 2},
		"told twice before this was seen": {entries{{From: "client", Content: "a & b", CreatedAt: ours.CreatedAt}, entry("client", "a &amp; b", 1)}, entries{entry("client", "a & b", 1)}, nil, 2},
		"repeated before this was seen":   {entries{entry("service", "ok", 0), entry("service", "ok", 0)}, entries{entry("service", "ok", 0), entry("service", "ok", 0)}, nil, 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			before := slices.Clone(tt.old)
			events := store.Diff(known(talk(upstream.Order{}, tt.old...)), talk(upstream.Order{}, tt.seen...), nil, noon)
			var told []string
			for _, e := range events {
				told = append(told, fmt.Sprintf("%s@%d", e.Words[0], int(e.At.Sub(noon).Minutes())))
			}
			assert.Equal(t, tt.told, told)
			merged := store.Merge(talk(upstream.Order{}, tt.old...), talk(upstream.Order{}, tt.seen...))
			assert.Len(t, merged.Conversation, tt.kept)
			assert.Equal(t, before, tt.old, "what was known is not written over")
			assert.Empty(t, store.Diff(known(merged), talk(upstream.Order{}, tt.seen...), nil, noon), "shown again, it is known")
			assert.Equal(t, merged, store.Merge(merged, talk(upstream.Order{}, tt.seen...)))
		})
	}
}

// An event's name is that of the same event yesterday, and no two entries share one.
func TestEntriesKeepTheirNames(t *testing.T) {
	which := "editor:9e9e58eff917b127"
	first := talk(upstream.Order{}, entry("service", "Which sky?", 0))
	assert.Equal(t, []string{which}, ids(store.Diff(known(upstream.Order{}), first, nil, noon)))
	second := talk(upstream.Order{}, entry("service", " Which sky?\r\n", 5))
	assert.Equal(t, []string{which + ":2"}, ids(store.Diff(known(first), second, nil, noon)))
	both := store.Merge(first, second)
	third := talk(upstream.Order{}, entry("service", "Which sky?", -5))
	assert.Equal(t, []string{which + ":3"}, ids(store.Diff(known(both), third, nil, noon)))
}

// What we sent is told in the words that were typed, once, though it comes back escaped.
func TestASentMessageThatComesBackEscapedIsOne(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		words := `black & white, "soft" <3 &amp; such`
		assert.Equal(t, []string{words}, contents(relay(t, s, "1", words, nil)))
		shown := entry("client", html.EscapeString(words), 0)
		_, events := record(t, s, "1", talk(upstream.Order{}, shown))
		assert.Empty(t, events)
		_, events = record(t, s, "1", talk(upstream.Order{}, shown, entry("client", words, 5)))
		assert.Len(t, events, 1, "said again later")
		assert.Equal(t, []string{words}, contents(events))
	})
}

func TestTheNextRoundUnderTheSameNumberIsToldToo(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		var told []string
		for _, seen := range []upstream.Order{
			delivered(0, "a"), order(upstream.Revising, 0), order(upstream.Paused, 0), order(upstream.Revising, 0),
			delivered(0, "b"), order(upstream.Revising, 0), order(upstream.Paused, 0), order(upstream.Revising, 0),
			delivered(0, "c"), order(upstream.Revising, 0), delivered(0, "d"), order(upstream.Closed, 0),
		} {
			_, events := record(t, s, "1", seen)
			told = append(told, ids(events)...)
		}
		a, b, c, d := "ready:r0", "ready:r0:"+print(t, "b"), "ready:r0:"+print(t, "c"), "ready:r0:"+print(t, "d")
		assert.Equal(t, []string{
			a, "changes:r1", "paused", b, "changes:r1:" + print(t, "b"), "paused:2", c, "changes:r1:" + print(t, "c"), d, "approved",
		}, told)
	})
}

// An order whose second delivery was recorded before rounds under one number were told apart.
func TestTheNextRoundOfYesterdaysOrderIsToldToo(t *testing.T) {
	was := with(known(delivered(0, "b")), &store.Delivered{Revision: 0, Images: print(t, "b")})
	assert.Equal(t, []string{"changes:r1"}, ids(store.Diff(was, order(upstream.Revising, 0), nil, noon)))
	was.Delivered.Again = true
	assert.Equal(t, []string{"changes:r1:" + print(t, "b")}, ids(store.Diff(was, order(upstream.Revising, 0), nil, noon)))
}

// Few words, said again and again by both sides, at a service that may show the latest entries
// only, repeat itself and escape: every entry is told once.
func TestRepeatedWordsAreToldAsOftenAsTheyWereSaid(t *testing.T) {
	s := newStore(storetest.Client(t))
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		c := &chat{t: t, s: s, id: fmt.Sprint("again", n)}
		place(t, s, c.id)
		escapes := rapid.Bool().Draw(rt, "escapes")
		answer := func(latest int) []upstream.Entry {
			var shown []upstream.Entry
			for _, e := range c.latest(latest) {
				if escapes {
					e.Content = html.EscapeString(e.Content)
				}
				shown = append(shown, slices.Repeat([]upstream.Entry{e}, rapid.IntRange(1, 2).Draw(rt, "times"))...)
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
