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

// Yesterday reads documents as an earlier version kept them in Redis, one of each kind and every
// field of it set: testdata/yesterday/NAME.json. What into makes for a name must know every field
// and write the same document again. A change that cannot is to say how it migrates, in a test of
// its own; the golden bytes stay.
func Yesterday(t *testing.T, into map[string]func() any) {
	t.Helper()
	files, err := filepath.Glob("testdata/yesterday/*.json")
	require.NoError(t, err)
	require.Len(t, files, len(into))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		kept, err := os.ReadFile(file) //nolint:gosec // our own testdata
		require.NoError(t, err)
		make, known := into[name]
		require.True(t, known, name)
		doc := make()
		strict := json.NewDecoder(bytes.NewReader(kept))
		strict.DisallowUnknownFields()
		require.NoError(t, strict.Decode(doc), name)
		again, err := json.Marshal(doc)
		require.NoError(t, err)
		assert.JSONEq(t, string(kept), string(again), name)
	}
}
