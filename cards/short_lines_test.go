package cards

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLongLinesArePartedBetweenWords(t *testing.T) {
	line := strings.Repeat("brighten ", 1000)
	parts := ShortLines([]string{"short", strings.TrimSpace(line), strings.Repeat("é", 3000)})
	require.Equal(t, "short", parts[0])
	for _, p := range parts {
		require.LessOrEqual(t, len(p), lineRoom)
	}
	require.Equal(t, strings.TrimSpace(line), strings.Join(slices.DeleteFunc(parts[1:], func(p string) bool { return strings.Contains(p, "é") }), " "))
}
