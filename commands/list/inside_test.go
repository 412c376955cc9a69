package list

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

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
		"account smith wedding of": "“smith”, “of”. The photo service searches for words of at least 6",
		"account mine":             "“mine”",
		"account canceled":         "no list for “canceled”",
		"account active":           "“active”",
	} {
		_, problem := parseListing(line).filter()
		require.Contains(t, problem, want, line)
	}
}

func TestNoPageOfAListIsLostToItsButton(t *testing.T) {
	l := listing{Channel: "C1", Status: "reviewing", Mine: true, Words: []string{strings.Repeat("&", 100)}}
	require.LessOrEqual(t, len(l.value(99999)), 2000)
	require.False(t, l.matches(store.Tracked{}, "maria"))
}
