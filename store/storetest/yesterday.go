package storetest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Yesterday reads documents of an earlier version, one of each kind with every field set:
// testdata/yesterday/NAME.json. The value that into makes for a name must know every field and write
// the same document again. A change that cannot do so needs its own test of the migration; the golden
// bytes stay.
func Yesterday(t *testing.T, into map[string]func() any) {
	t.Helper()
	files, err := filepath.Glob("testdata/yesterday/*.json")
	require.NoError(t, err)
	require.Len(t, files, len(into))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		saved, err := os.ReadFile(file) //nolint:gosec // our own testdata
		require.NoError(t, err)
		make, known := into[name]
		require.True(t, known, name)
		doc := make()
		strict := json.NewDecoder(bytes.NewReader(saved))
		strict.DisallowUnknownFields()
		require.NoError(t, strict.Decode(doc), name)
		again, err := json.Marshal(doc)
		require.NoError(t, err)
		assert.JSONEq(t, string(saved), string(again), name)
	}
}
