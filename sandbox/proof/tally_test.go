package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// told is what a run of go test with these events tells.
func told(t *testing.T, events ...string) (string, bool) {
	t.Helper()
	var out strings.Builder
	tally := newTally(&out)
	require.NoError(t, tally.read(strings.NewReader(strings.Join(events, "\n"))))
	tally.summary(90 * time.Second)
	return out.String(), tally.proved()
}

func TestOneLineTellsWhatWasProvedAndWhatWasLeftOut(t *testing.T) {
	t.Parallel()
	out, proved := told(t,
		`{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:3: noise\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestA/row"}`,
		`{"Action":"pass","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:7: no redis-server on PATH\n"}`,
		`{"Action":"output","Package":"p","Test":"TestB","Output":"--- SKIP: TestB (0.00s)\n"}`,
		`{"Action":"skip","Package":"p","Test":"TestB"}`,
		`{"Action":"pass","Package":"p","Elapsed":1.5}`,
		`{"Action":"pass","Package":"darkroom/sandbox/stories","Test":"TestOrder"}`,
		`{"Action":"pass","Package":"darkroom/sandbox/stories","Elapsed":60}`,
	)
	require.True(t, proved)
	require.Equal(t, "ok  \tp\t1.500s\t1 tests\nok  \tdarkroom/sandbox/stories\t60.000s\t1 tests\n"+
		"left out: 1 × no redis-server on PATH\nproved: 2 tests of 2 packages, 1 of them stories of a person, in 1m30s\n", out)
}

func TestAFailureIsShownWithItsOutputAndNothingIsProved(t *testing.T) {
	t.Parallel()
	out, proved := told(t,
		`{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:3: want 1, got 2\n"}`,
		`{"Action":"fail","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Output":"panic: oh\n"}`,
		`{"Action":"fail","Package":"p","Elapsed":0.5}`,
	)
	require.False(t, proved)
	require.Equal(t, "    a_test.go:3: want 1, got 2\npanic: oh\nFAIL\tp\t0.500s\nNOT proved: p TestA, p (0 tests passed, in 1m30s)\n", out)
}

func TestWhatDoesNotBuildIsShown(t *testing.T) {
	t.Parallel()
	out, proved := told(t,
		`{"Action":"build-output","ImportPath":"p [p.test]","Output":"a.go:1:1: undefined: x\n"}`,
		`{"Action":"build-fail","ImportPath":"p [p.test]"}`,
		`{"Action":"output","Package":"p","Output":"FAIL\tp [build failed]\n"}`,
		`{"Action":"fail","Package":"p"}`,
	)
	require.False(t, proved)
	require.Contains(t, out, "undefined: x")
}

func TestAPackageThatDiesShowsTheTestItDiedIn(t *testing.T) {
	t.Parallel()
	out, proved := told(t,
		`{"Action":"run","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Test":"TestA","Output":"panic: deadlock\n"}`,
		`{"Action":"fail","Package":"p"}`,
	)
	require.False(t, proved)
	require.Contains(t, out, "panic: deadlock")
}

func TestWhatPassedBeforeAndHasNotChangedIsCountedAndSaid(t *testing.T) {
	t.Parallel()
	out, proved := told(t,
		`{"Action":"pass","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Output":"ok  \tp\t(cached)\n"}`,
		`{"Action":"pass","Package":"p","Elapsed":0}`,
		`{"Action":"pass","Package":"q","Test":"TestB"}`,
		`{"Action":"output","Package":"q","Output":"ok  \tq\t1.500s\n"}`,
		`{"Action":"pass","Package":"q","Elapsed":1.5}`,
	)
	require.True(t, proved)
	require.Contains(t, out, "ok  \tp\tunchanged\t1 tests\n")
	require.Contains(t, out, "ok  \tq\t1.500s\t1 tests\n")
	require.Contains(t, out, "proved: 2 tests of 2 packages (1 unchanged since they passed), 0 of them stories")
}

func TestPackagesBesideHaveTheFlagsButNotTheCount(t *testing.T) {
	t.Parallel()
	plain := []string{"go", "test", "-json"}
	require.Equal(t, [][]string{append(plain, "-count=1", "-run", "A", "./a")}, commandsOf([]string{"-count=1", "-run", "A", "./a"}))
	both := commandsOf([]string{"-count=1", "-p=4", "./a", "--", "./b", "./c"})
	require.Len(t, both, 2)
	require.Equal(t, append(plain, "-count=1", "-p=4", "./a"), both[0])
	beside := both[1]
	require.Equal(t, append(plain, "-p=4", "./b", "./c"), beside[slices.Index(beside, "go"):])
}
