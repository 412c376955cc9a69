package files_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/files"
)

// TestAnAddressSaysWhoseFileItIs: two workspaces may have files and orders of equal ids.
func TestAnAddressSaysWhoseFileItIs(t *testing.T) {
	s, err := files.NewSigner("https://photos.example.com", []string{strings.Repeat("k", files.MinKey)})
	require.NoError(t, err)
	now := time.Unix(1_700_000_000, 0)
	token := func(address string) string {
		return strings.Split(strings.TrimPrefix(strings.TrimPrefix(address, "https://photos.example.com"+files.ZIPPath), "https://photos.example.com"+files.Path), "/")[0]
	}
	for _, workspace := range []string{"", "T1", "T2"} {
		file, err := s.Verify(token(s.In(workspace).URL("F1", "a.jpg", now)), now)
		require.NoError(t, err)
		whose, id := files.SplitFile(file)
		require.Equal(t, []string{workspace, "F1"}, []string{whose, id})

		bundle := files.Bundle{Order: "10/42", Round: 1, Generation: 2}
		got, err := s.In("T9").VerifyZIP(token(s.In(workspace).ZIP(bundle, "a.zip", now)), now)
		require.NoError(t, err)
		bundle.Workspace = workspace
		require.Equal(t, bundle, got)
	}
	_, err = s.Verify(token(s.In("T1").ZIP(files.Bundle{Order: "1"}, "a.zip", now)), now)
	require.ErrorIs(t, err, files.ErrForged, "one kind of address is not the other")
}
