package cardstest

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	tree    = flag.String("tree", "..", "the folder whose golden files are read")
	listing = flag.String("list", "", "print the findings of a rule, of \"all\", or \"sentences\" for everything people read")
)

// broken returns what breaks a rule, once each, by package and rule, and the number of files with it by rule.
func broken(t *testing.T) (found map[string][]string, files map[string]int) {
	t.Helper()
	found, files = map[string][]string{}, map[string]int{}
	for path, s := range goldenFiles(t, *tree) {
		relative, err := filepath.Rel(*tree, path)
		require.NoError(t, err)
		pkg := strings.TrimSuffix(strings.SplitN(relative, "testdata", 2)[0], "/")
		for _, r := range layoutRules {
			finds := r.finds(s)
			if len(finds) > 0 {
				files[r.name]++
			}
			at := cmp.Or(pkg, "cards") + ": " + r.name
			found[at] = append(found[at], finds...)
		}
	}
	for at, all := range found {
		slices.Sort(all)
		found[at] = slices.Compact(all)
	}
	return found, files
}

// TestLayouts holds every golden file of every package of cards to Slack's bar for layouts and to our words.
func TestLayouts(t *testing.T) {
	found, files := broken(t)
	if *listing != "" {
		report(t, found, files)
	}
	for _, at := range slices.Sorted(maps.Keys(found)) {
		if len(found[at]) > 0 {
			t.Errorf("%s:\n\t%s", at, strings.Join(found[at], "\n\t"))
		}
	}
}

func report(t *testing.T, found map[string][]string, files map[string]int) {
	t.Helper()
	sums := map[string]int{}
	for _, at := range slices.Sorted(maps.Keys(found)) {
		_, r, _ := strings.Cut(at, ": ")
		sums[r] += len(found[at])
		if len(found[at]) == 0 {
			continue
		}
		fmt.Printf("\t%q: %d,\n", at, len(found[at]))
		if *listing == r || *listing == "all" {
			fmt.Println("\t\t// " + strings.Join(found[at], "\n\t\t// "))
		}
	}
	for _, r := range layoutRules {
		fmt.Printf("%-15s %4d files %4d findings\n", r.name, files[r.name], sums[r.name])
	}
}

// TestSentences measures everything people read, each sentence once, the longest first.
func TestSentences(t *testing.T) {
	digits := regexp.MustCompile(`[\d,.]*\d`)
	once := map[string]int{}
	for _, s := range goldenFiles(t, *tree) {
		for _, p := range s.texts {
			for _, one := range p.said {
				one = digits.ReplaceAllString(one, "0")
				if words := len(strings.Fields(one)); words >= 4 {
					once[one] = words
				}
			}
		}
	}
	all := slices.SortedFunc(maps.Keys(once), func(a, b string) int {
		return cmp.Or(once[b]-once[a], strings.Compare(a, b))
	})
	words, over := 0, 0
	for _, one := range all {
		words += once[one]
		if once[one] > 18 {
			over++
		}
		if *listing == "sentences" {
			fmt.Printf("%3d %s\n", once[one], one)
		}
	}
	require.NotEmpty(t, all)
	t.Logf("%d sentences of four words or more: %.1f words each, %.1f %% above 18", len(all), float64(words)/float64(len(all)), 100*float64(over)/float64(len(all)))
}
