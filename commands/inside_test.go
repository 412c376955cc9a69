package commands

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
)

func TestNearestVerb(t *testing.T) {
	c := bare(t)
	for typed, want := range map[string]string{
		"aprove": "approve", "shwo": "show", "neww": "new", "balence": "balance", "hlep": "help", "xyzzy": "", "": "",
	} {
		require.Equal(t, want, c.nearest(typed), typed)
	}
}

func TestTheServicesOwnFilters(t *testing.T) {
	for line, want := range map[string]order.Filter{
		"account":                             {Page: 1},
		"account all":                         {Page: 1},
		"account ready":                       {Page: 1, Status: "reviewing"},
		"account approved customer:77A":       {Page: 1, Status: "closed", CustomerID: "77A"},
		"account wedding Customer:77 K7Q2XM ": {Page: 1, CustomerID: "77", Keywords: []string{"wedding", "K7Q2XM"}},
	} {
		f, problem := parseListing(line).filter()
		require.Empty(t, problem, line)
		require.Equal(t, want, f, line)
	}
	for line, want := range map[string]string{
		"account smith wedding of": "“smith”, “of”. The service searches for words of at least 6",
		"account mine":             "“mine”",
		"account canceled":         "no list of its own for “canceled”",
		"account active":           "“active”",
	} {
		_, problem := parseListing(line).filter()
		require.Contains(t, problem, want, line)
	}
}

func TestNoPageOfAListIsLostToItsButton(t *testing.T) {
	l := listing{Channel: "C1", Status: "reviewing", Mine: true, Words: []string{strings.Repeat("&", 100)}}
	require.LessOrEqual(t, len(l.value(99999)), 2000)
	require.False(t, l.has(store.Tracked{}, "maria"))
}

func TestLongLinesArePartedBetweenWords(t *testing.T) {
	line := strings.Repeat("brighten ", 1000)
	parts := shortLines([]string{"short", strings.TrimSpace(line), strings.Repeat("é", 3000)})
	require.Equal(t, "short", parts[0])
	for _, p := range parts {
		require.LessOrEqual(t, len(p), lineRoom)
	}
	require.Equal(t, strings.TrimSpace(line), strings.Join(slices.DeleteFunc(parts[1:], func(p string) bool { return strings.Contains(p, "é") }), " "))
}

func TestURLsOnTheLine(t *testing.T) {
	for line, want := range map[string][]string{
		"new":                            {},
		"new https://a.test/1.jpg":       {"https://a.test/1.jpg"},
		"new <https://a.test/1.jpg>":     {"https://a.test/1.jpg"},
		"https://a.test/1.jpg http://b/": {"https://a.test/1.jpg", "http://b/"},
		"<https://a.test/1.jpg|a.test>":  {"https://a.test/1.jpg"},
	} {
		var r bot.Request
		r.Kind, r.Text = bot.KindCommand, line
		r.Verb, r.Args = cut(line)
		require.ElementsMatch(t, want, lineURLs(r), line)
	}
}

func cut(line string) (verb, args string) {
	for i, c := range line {
		if c == ' ' {
			return line[:i], line[i+1:]
		}
	}
	return line, ""
}

// bare are the commands without anything that they could reach.
func bare(t *testing.T) *Commands {
	t.Helper()
	done, err := jobs.New(jobs.Config{})
	require.NoError(t, err)
	c, err := New(Config{Jobs: done})
	require.NoError(t, err)
	return c
}
