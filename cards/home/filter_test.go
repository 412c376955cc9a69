package home

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheHomesFilterComesBack(t *testing.T) {
	for _, f := range filters() {
		back, ok := ParseFilter(f.Value())
		require.True(t, ok)
		require.Equal(t, f, back)
	}
	_, ok := ParseFilter("true:everything")
	require.False(t, ok)
}
