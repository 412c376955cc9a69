package order_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
)

// untimed returns an entry of a service that sends no times.
func untimed(from, content string) order.Entry {
	return order.Entry{From: from, Content: content}
}

func TestWhatAnAnswerAddsToAConversation(t *testing.T) {
	ours := order.Entry{From: "client", Content: "ok", CreatedAt: noon.Add(time.Millisecond)} // no answer showed it yet
	type entries = []order.Entry
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
		"ours is the nearest, and first":  {entries{ours}, entries{entry("client", "ok", 1), entry("client", "ok", 60)}, []string{"ok@60"}, 2},
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
			events := order.Diff(known(talk(order.Order{}, tt.old...)), talk(order.Order{}, tt.seen...), nil, noon)
			var told []string
			for _, e := range events {
				told = append(told, fmt.Sprintf("%s@%d", e.Words[0], int(e.At.Sub(noon).Minutes())))
			}
			assert.Equal(t, tt.told, told)
			merged := order.Merge(talk(order.Order{}, tt.old...), talk(order.Order{}, tt.seen...))
			assert.Len(t, merged.Conversation, tt.kept)
			assert.Equal(t, before, tt.old, "what was known is not written over")
			assert.Empty(t, order.Diff(known(merged), talk(order.Order{}, tt.seen...), nil, noon), "shown again, it is known")
			assert.Equal(t, merged, order.Merge(merged, talk(order.Order{}, tt.seen...)))
		})
	}
}

// An entry's event ID never changes, and no two entries share one.
func TestEntriesKeepTheirNames(t *testing.T) {
	which := "editor:9e9e58eff917b127"
	first := talk(order.Order{}, entry("service", "Which sky?", 0))
	assert.Equal(t, []string{which}, ids(order.Diff(known(order.Order{}), first, nil, noon)))
	second := talk(order.Order{}, entry("service", " Which sky?\r\n", 5))
	assert.Equal(t, []string{which + ":2"}, ids(order.Diff(known(first), second, nil, noon)))
	both := order.Merge(first, second)
	third := talk(order.Order{}, entry("service", "Which sky?", -5))
	assert.Equal(t, []string{which + ":3"}, ids(order.Diff(known(both), third, nil, noon)))
}

// A service shows at most as many of the newest lines as are kept. The dropped lines had their events.
func TestEachLineOfALongConversationIsToldOnce(t *testing.T) {
	const whole = order.MaxEntries
	words := []string{"ok", "thanks", "ok", "Which sky?", ""}
	for name, tt := range map[string]struct {
		shown   []int // how many lines the answers show, at least the new ones
		padding string
		untimed int // one line of so many has no time; 0: each has one
	}{
		"shown as a whole":       {shown: []int{whole}},
		"the latest only":        {shown: []int{0, 3}},
		"now a part, now all":    {shown: []int{0, 3, whole}},
		"long lines":             {shown: []int{0, 3, whole}, padding: strings.Repeat(".", 19_000)},
		"no times":               {shown: []int{whole}, untimed: 1},
		"no times, the latest":   {shown: []int{3}, untimed: 1},
		"no times, now and then": {shown: []int{0, 3, whole}, untimed: 1},
		"some times":             {shown: []int{0, 3, whole}, untimed: 3},
	} {
		t.Run(name, func(t *testing.T) {
			c := &course{known: known(talk(anOrder(order.StatusEditing, 0), []order.Entry{}...))}
			random := rand.New(rand.NewPCG(1, 2))
			some := func(of []string) string { return of[random.IntN(len(of))] }
			var all []order.Entry
			for range 60 {
				added := 1 + random.IntN(20)
				for range added {
					e := entry(some([]string{"service", "client"}), some(words)+tt.padding, len(all))
					if tt.untimed > 0 && random.IntN(tt.untimed) == 0 {
						e = untimed(e.From, fmt.Sprint(len(all)))
					}
					all = append(all, e)
				}
				shown := max(tt.shown[random.IntN(len(tt.shown))], added)
				c.see(talk(order.Order{}, order.KeptEntries(all[max(0, len(all)-shown):])...), nil)
				last := c.known.Order.Conversation[len(c.known.Order.Conversation)-1]
				require.Equal(t, all[len(all)-1].Content, last.Content, "the newest is the last")
			}
			require.Greater(t, len(all), whole)
			require.Len(t, c.told, len(all))
			had := map[string]bool{}
			for i, e := range c.told {
				require.False(t, had[e.ID], "%s names two lines", e.ID)
				had[e.ID] = true
				require.Equal(t, all[i].Content, e.Words[0])
			}
		})
	}
}

func TestAConversationIsInOrder(t *testing.T) {
	type entries = []order.Entry
	for name, tt := range map[string]struct {
		old, seen entries
		want      string
	}{
		"by time":                      {entries{entry("service", "b", 3)}, entries{entry("service", "a", 0), entry("service", "c", 5)}, "abc"},
		"without a time, between":      {entries{entry("service", "a", 0), entry("service", "c", 5)}, entries{entry("service", "a", 0), untimed("service", "b"), entry("service", "c", 5)}, "abc"},
		"without a time, before some":  {entries{entry("service", "a", 0), entry("service", "d", 9)}, entries{untimed("service", "b"), entry("service", "c", 5)}, "abcd"},
		"without a time, alone":        {entries{entry("service", "a", 0)}, entries{untimed("service", "b")}, "ab"},
		"without a time, the latest":   {entries{untimed("service", "a"), untimed("service", "b")}, entries{untimed("service", "b"), untimed("service", "c")}, "abc"},
		"known without a time, and on": {entries{entry("service", "a", 0), untimed("service", "b")}, entries{entry("service", "c", 5)}, "abc"},
	} {
		t.Run(name, func(t *testing.T) {
			merged := order.Merge(talk(order.Order{}, tt.old...), talk(order.Order{}, tt.seen...))
			var said strings.Builder
			for _, e := range merged.Conversation {
				said.WriteString(e.Content)
			}
			require.Equal(t, tt.want, said.String())
		})
	}
}

// A sent message is announced and kept once, even if earlier entries with the same text were dropped.
func TestOurMessageIsToldOnceInALongConversation(t *testing.T) {
	alike := func(int) string { return "ok" }
	for name, tt := range map[string]struct {
		then   []order.Entry // after the same words
		sent   []order.Entry // what the answer to the message shows
		number string        // of the message
	}{
		"the words were let go, none is shown": {lines(order.MaxEntries, func(n int) string { return fmt.Sprint(n) }), nil, ":2"},
		"the words were let go, ours is shown": {lines(order.MaxEntries, func(n int) string { return fmt.Sprint(n) }), []order.Entry{entry("client", "ok", 60)}, ":2"},
		"many of them are kept":                {lines(order.MaxEntries+5, alike), []order.Entry{entry("client", "ok", 60)}, ":502"},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range tt.then {
				tt.then[i].From = "client"
			}
			c := &course{known: known(talk(anOrder(order.StatusEditing, 0), []order.Entry{}...))}
			for _, seen := range [][]order.Entry{{entry("client", "ok", -1)}, tt.then} {
				c.see(talk(order.Order{}, seen...), nil)
			}
			events, fulfilled := c.see(order.Order{Conversation: tt.sent}, message("ok", true))
			require.True(t, fulfilled)
			require.Equal(t, []string{c.told[0].ID + tt.number}, ids(events))
			events, _ = c.see(talk(order.Order{}, entry("client", "ok", 60)), nil)
			require.Empty(t, events)
			require.Len(t, c.known.Order.Conversation, order.MaxEntries)
		})
	}
}

// An older version recorded the second delivery under one revision number without marking it.
func TestTheNextRoundOfYesterdaysOrderIsToldToo(t *testing.T) {
	was := with(known(delivered(0, "b")), &order.Delivered{Revision: 0, Images: print("b")})
	assert.Equal(t, []string{"changes:r1"}, ids(order.Diff(was, anOrder(order.StatusRevising, 0), nil, noon)))
	was.Delivered.Again = true
	assert.Equal(t, []string{"changes:r1:" + print("b")}, ids(order.Diff(was, anOrder(order.StatusRevising, 0), nil, noon)))
}
