package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSourceOfAReleaseNamesItsCommit(t *testing.T) {
	t.Parallel()
	o := origin{version: "(devel)"}
	o.stamped("0f1e2d3c 2026-11-24T02:38:00+02:00 v1.4.0-3-g0f1e2d3\n")
	require.Contains(t, o.describe(), "darkroom v1.4.0-3-g0f1e2d3\ncommit   0f1e2d3c of 2026-11-24T00:38:00Z\n")
}

func TestSourceOfACommitBeforeTheFirstTagNamesItsCommit(t *testing.T) {
	t.Parallel()
	o := origin{version: "(devel)"}
	o.stamped("0f1e2d3c 2026-11-24T00:38:00Z \n")
	require.Contains(t, o.describe(), "darkroom (devel)\ncommit   0f1e2d3c of 2026-11-24T00:38:00Z\n")
}

func TestAWorkingTreeHasNoStampOfItsOwn(t *testing.T) {
	t.Parallel()
	o := origin{version: "(devel)"}
	o.stamped(sourceStamp)
	require.Contains(t, o.describe(), "commit   unknown", "the pattern is no commit")
}

func TestUncommittedChangesAreSaid(t *testing.T) {
	t.Parallel()
	o := origin{version: "v1.4.0+dirty", commit: "0f1e2d3c", date: "2026-11-24T00:38:00Z", changed: true}
	require.Contains(t, o.describe(), "not committed")
}
