package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The version is written where people look for it, too: a release changes all of these together.
func TestTheVersionIsTheChangelogsNewestAndTheImages(t *testing.T) {
	t.Parallel()
	for name, pattern := range map[string]string{
		"CHANGELOG.md": `(?m)^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$`,
		"Dockerfile":   `(?m)^ARG VERSION=(\S+)$`,
	} {
		text, err := os.ReadFile("../../" + name)
		require.NoError(t, err)
		newest := regexp.MustCompile(pattern).FindSubmatch(text)
		require.NotNil(t, newest, name)
		require.Equal(t, release, string(newest[1]), name)
	}
}

func TestSourceOfAReleaseNamesItsCommit(t *testing.T) {
	t.Parallel()
	var o origin
	o.stamped("0f1e2d3c 2026-11-24T02:38:00+02:00\n")
	require.Contains(t, o.describe(), release+"\ncommit   0f1e2d3c of 2026-11-24T00:38:00Z\n")
}

func TestAWorkingTreeHasNoStampOfItsOwn(t *testing.T) {
	t.Parallel()
	var o origin
	o.stamped(sourceStamp)
	require.Contains(t, o.describe(), "commit   unknown", "the pattern is no commit")
}

func TestUncommittedChangesAreSaid(t *testing.T) {
	t.Parallel()
	o := origin{commit: "0f1e2d3c", date: "2026-11-24T00:38:00Z", changed: true}
	require.Contains(t, o.describe(), "not committed")
}
