//go:build !production

package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

func TestDemoScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/demo"})
}

func TestTheScriptedDemoTellsTheWholeStory(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	code := run(context.Background(), []string{"demo", "--script"}, nil, strings.NewReader(""), &out, &errs)
	require.Zero(t, code, "%s%s", out.String(), errs.String())
	for _, seen := range []string{"order form opens", "placed", "Ready for review", "thumbnail", "Approved by Maria"} {
		require.Contains(t, out.String(), seen)
	}
}

func TestTheDemoIsAConversation(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	in := strings.NewReader("/order balance\nfill nothing\nhelp\nquit\n")
	code := run(context.Background(), []string{"demo", "--terminal", "--env", filepath.Join(t.TempDir(), "demo.env")}, nil, in, &out, &errs)
	require.Zero(t, code, errs.String())
	require.Contains(t, out.String(), "120")
	require.Contains(t, out.String(), "LABEL = TEXT")
}
