package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/shipped"
)

// testTools are what only tests, the demo and the chaos suite need.
var testTools = regexp.MustCompile(`^(testing|net/http/httptest|darkroom/sandbox|darkroom/.*test|github\.com/(alicebob|yuin|chromedp|stretchr|rogpeppe)/.*)(/|$)`)

// TestTheProductionBinaryCarriesNoTestTools: neither the sandbox nor a Redis of its own,
// nor what lets the chaos suite kill it.
func TestTheProductionBinaryCarriesNoTestTools(t *testing.T) {
	t.Parallel()
	require.Contains(t, goList(t, "-deps", "."), "darkroom/sandbox", "the demo needs no tag, and this test has teeth")
	deps := goList(t, "-deps", "-tags", productionTags(t), ".")
	require.Contains(t, deps, "darkroom/commands")
	for _, pkg := range deps {
		require.NotRegexp(t, testTools, pkg)
	}
	for _, tags := range []string{productionTags(t), ""} {
		files := goList(t, "-f", `{{join .GoFiles "\n"}}`, "-tags", tags, ".", "./failpoints")
		require.Contains(t, files, "failpoint_off.go")
		require.NotContains(t, files, "failpoint.go")
		require.Contains(t, files, "waits.go")
		require.NotContains(t, files, "waits_short.go")
	}
}

// TestTheShippedBinaryHasTheRealWaits: nothing overrides what the packages document.
func TestTheShippedBinaryHasTheRealWaits(t *testing.T) {
	t.Parallel()
	require.Zero(t, newWaits())
}

// TestShortWaitsAreTheOnlyDifference: the binary that stories build with short waits is the shipped one in every other file.
func TestShortWaitsAreTheOnlyDifference(t *testing.T) {
	t.Parallel()
	sources := func(tags string) []string {
		return goList(t, "-deps", "-f", `{{$p := .ImportPath}}{{range .GoFiles}}{{$p}}/{{.}}{{"\n"}}{{end}}`, "-tags", tags, ".")
	}
	shipped, short := sources(productionTags(t)), sources(productionTags(t)+",shortwaits")
	require.Contains(t, short, "darkroom/cmd/darkroom/waits_short.go")
	replaced := strings.ReplaceAll(strings.Join(short, "\n"), "darkroom/cmd/darkroom/waits_short.go", "darkroom/cmd/darkroom/waits.go")
	require.Equal(t, strings.Join(shipped, "\n"), replaced)
}

// mostBytes is what the stripped binary may weigh. One call of reflect's MethodByName, in whatever
// library, makes it half as large again, some 36 MB: text/template and kong have one.
const mostBytes = 30_000_000

func TestProductionScripts(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "darkroom")
	require.NoError(t, shipped.Build(t.Context(), "", binary, productionTags(t)))
	info, err := os.Stat(binary)
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(mostBytes), "something finds methods by their names, so that the linker keeps all of them")
	testscript.Run(t, testscript.Params{Dir: "testdata/production", Setup: func(e *testscript.Env) error {
		e.Setenv("PRODUCTION", binary)
		return nil
	}})
}

// productionTags are the build tags that `make build` gives.
func productionTags(t *testing.T) string {
	t.Helper()
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^build:.*\n\t.*go build .*-tags (\S+) `).FindSubmatch(makefile)
	require.NotNil(t, found, "make build gives a tag")
	return string(found[1])
}

// goList is what go list prints, line by line. It reads the folder first, because a result of go
// test is kept until a file that the test itself has read changes.
func goList(t *testing.T, args ...string) []string {
	t.Helper()
	_, err := os.ReadDir(".")
	require.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...).Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}
