package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// the words of docs/security.md.
func securityPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/security.md")
	require.NoError(t, err)
	return string(page)
}

// Each line of the threat model names the tests that hold it: none of them is an invention.
func TestEveryTestThatTheThreatModelNamesExists(t *testing.T) {
	named := regexp.MustCompile("`((?:[a-z]+/)*[a-z]+)\\.(Test[A-Za-z]+)`").FindAllStringSubmatch(securityPage(t), -1)
	require.Greater(t, len(named), 50)
	sources := map[string]string{}
	for _, name := range named {
		room := name[1]
		if room == "stories" {
			room = "sandbox/stories"
		}
		if sources[room] == "" {
			sources[room] = goFiles(t, room, true)
		}
		assert.True(t, strings.Contains(sources[room], "func "+name[2]+"(t *testing.T)"), "there is no test %s.%s", name[1], name[2])
	}
}

// goFiles returns the text of a package's files: its tests or all others.
func goFiles(t *testing.T, room string, tests bool) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("../..", room, "*.go"))
	require.NoError(t, err)
	var all strings.Builder
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") == tests {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			all.Write(text)
		}
	}
	return all.String()
}

// What is kept of whom is one table, with a row for every family of keys and none besides.
func TestEveryFamilyOfKeysHasItsRow(t *testing.T) {
	_, table, _ := strings.Cut(securityPage(t), "## What is kept")
	var rows []string
	for line := range strings.Lines(table) {
		if first, _, row := strings.Cut(strings.TrimPrefix(line, "| "), " | "); row {
			for _, name := range regexp.MustCompile("`([a-z:-]+)`").FindAllStringSubmatch(first, -1) {
				rows = append(rows, name[1])
			}
		}
	}
	var families []string
	for room, before := range map[string]string{"store": "", "store/queue": "q:", "store/ratelimit": ""} {
		keys, err := os.ReadFile(filepath.Join("../..", room, "keys.go"))
		require.NoError(t, err)
		listed := regexp.MustCompile(`(?m)^//\t([a-z-]+)(?::[A-Z:]+)? {2,}`).FindAllStringSubmatch(string(keys), -1)
		require.NotEmpty(t, listed, room)
		for _, name := range listed {
			families = append(families, before+name[1])
		}
		for _, used := range regexp.MustCompile(`\.[kK]ey\("([a-z-]+)"`).FindAllStringSubmatch(goFiles(t, room, false), -1) {
			assert.Contains(t, families, before+used[1], "keys.go of %s lists every key", room)
		}
	}
	for _, family := range families {
		if family == "note" { // of these there are many kinds, by what writes them
			continue
		}
		assert.Contains(t, rows, family, "a row of docs/security.md says what it is, how long, about whom, and what forget does")
	}
	kinds := noteKinds(t)
	for _, kind := range kinds {
		assert.Contains(t, rows, "note:"+kind)
	}
	for _, row := range rows {
		kind, note := strings.CutPrefix(row, "note:")
		assert.True(t, slices.Contains(families, row) || note && slices.Contains(kinds, kind), "%s is no key", row)
	}
}

// noteKinds are what the names of documents begin with, as the functions and constants say that name them.
func noteKinds(t *testing.T) []string {
	t.Helper()
	kinds := []string{"fill"} // commands names the first after its job
	for _, room := range []string{"jobs", "jobs/job", "jobs/answers", "jobs/accounts", "jobs/batch", "commands", "commands/account", "commands/answer", "commands/resolve", "notifier/poll", "notifier/announce", "store", "store/ratelimit", "cmd/darkroom/tenants"} {
		source := goFiles(t, room, false)
		for _, form := range []string{
			`func (?:\([^)]*\) )?[A-Za-z]*(?:Note|Doc)\([^)]*\) string \{\s*return (?:fmt\.Sprintf\()?"([a-z-]+):`,
			`(?m)[a-z]+(?:Note|Doc)\s+= "([a-z-]+)"`, `note(?:, told)? :?= (?:fmt\.Sprintf\()?"([a-z-]+):`, `(?:user, )?name := (?:j\.asker\(ctx, job\), )?"([a-z-]+):"`, `\.[fF]irst\(ctx, "([a-z-]+):"`,
		} {
			for _, found := range regexp.MustCompile(form).FindAllStringSubmatch(source, -1) {
				kinds = append(kinds, found[1])
			}
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// Go's own regular expressions take time that grows with the text alone; this other one's may not.
func TestForeignTextMeetsNoBacktracking(t *testing.T) {
	require.NoError(t, filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && len(d.Name()) > 2 && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		assert.NotContains(t, string(text), `"github.com/dlclark/regexp2`, path)
		return err
	}))
}
