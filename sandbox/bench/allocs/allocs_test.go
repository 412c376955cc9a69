package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const accepted = `
pkg: darkroom/cards
BenchmarkCard 10	10000 B/op	300 allocs/op
BenchmarkNothing 10	0 B/op	0 allocs/op
pkg: darkroom/store/queue
BenchmarkPickUp 10	40000 B/op	80 least-allocs/op	140 most-allocs/op
`

func TestWhatAllocatesHalfAsMuchAgainIsNamed(t *testing.T) {
	const (
		card    = "BenchmarkCard 100 5 ns/op 10000 B/op 300 allocs/op\n"
		nothing = "BenchmarkNothing 100 5 ns/op 0 B/op 0 allocs/op\n"
		pickUp  = "pkg: darkroom/store/queue\nBenchmarkPickUp 100 5 ns/op 40000 B/op 100 allocs/op\n"
	)
	tests := map[string]struct {
		found string
		want  string // "" when all is well
	}{
		"all as it was":              {card + nothing + pickUp, ""},
		"a little more":              {strings.Replace(card, "300", "440", 1) + nothing + pickUp, ""},
		"half as many again":         {strings.Replace(card, "300", "450", 1) + nothing + pickUp, "darkroom/cards: BenchmarkCard: 450 allocs/op, was 300"},
		"half as large again":        {strings.Replace(card, "10000", "15000", 1) + nothing + pickUp, "darkroom/cards: BenchmarkCard: 15000 B/op, was 10000"},
		"a little where nothing was": {card + strings.Replace(nothing, "0 B/op", "900 B/op", 1) + pickUp, ""},
		"two where nothing was":      {card + strings.Replace(nothing, "0 allocs", "2 allocs", 1) + pickUp, "darkroom/cards: BenchmarkNothing: 2 allocs/op, was 0"},
		"much of what varies":        {card + nothing + strings.Replace(pickUp, "100 allocs", "900 allocs", 1), ""},
		"one is gone":                {card + nothing, "darkroom/store/queue: BenchmarkPickUp is gone, or was skipped"},
		"one is new":                 {card + nothing + "BenchmarkNew 100 5 ns/op 0 B/op 0 allocs/op\n" + pickUp, "darkroom/cards: BenchmarkNew is new: nothing guards it yet"},
		"one tells no more":          {strings.Replace(card, "300 allocs/op", "", 1) + nothing + pickUp, "darkroom/cards: BenchmarkCard says nothing of allocs/op any more"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			wrong, lower := compare(parsed(t, accepted), parsed(t, "pkg: darkroom/cards\n"+test.found))
			require.Equal(t, test.want, strings.Join(wrong, "\n"))
			require.Empty(t, lower)
			require.Equal(t, test.want == "", judge(io.Discard, parsed(t, accepted), parsed(t, "pkg: darkroom/cards\n"+test.found)) == nil)
		})
	}
}

func TestWhatBecameMuchLessIsNotWrong(t *testing.T) {
	wrong, lower := compare(parsed(t, "pkg: p\nBenchmarkA 10 300 allocs/op\n"), parsed(t, "pkg: p\nBenchmarkA 100 100 allocs/op\n"))
	require.Empty(t, wrong)
	require.Equal(t, []string{"p: BenchmarkA: 100 allocs/op, was 300"}, lower)
}

func TestWhatVariedIsWrittenWithItsLeastAndItsMostAndGuardsNothing(t *testing.T) {
	text := string(settled(parsed(t, `
pkg: p
BenchmarkSteady 100 5 ns/op 5000 B/op 20 allocs/op
BenchmarkSteady 100 5 ns/op 5400 B/op 21 allocs/op
BenchmarkSteady 100 5 ns/op 5100 B/op 20 allocs/op
BenchmarkWild/of_10-20 100 5 ns/op 100 B/op 20 allocs/op
BenchmarkWild/of_10-20 100 5 ns/op 200 B/op 30 allocs/op
`)))
	require.Contains(t, text, "\npkg: p\nBenchmarkSteady 3\t5100 B/op\t20 allocs/op\nBenchmarkWild/of_10-20 2\t200 B/op\t20 least-allocs/op\t30 most-allocs/op\n")
	again := parsed(t, text)
	require.Len(t, again, 2, "it is read back")
	require.Empty(t, again[name{"p", "Wild/of_10-20"}][allocs])
}

// A benchmark in whose line something was logged would be missing without a word.
func TestALineThatCannotBeReadIsAnError(t *testing.T) {
	_, err := read(strings.NewReader("pkg: p\nBenchmarkA \t2026/11/23 INFO something happened\n"), "go test")
	require.ErrorContains(t, err, "go test:2")
}

func parsed(t *testing.T, text string) benchmarks {
	t.Helper()
	all, err := read(strings.NewReader(text), "test")
	require.NoError(t, err)
	return all
}
