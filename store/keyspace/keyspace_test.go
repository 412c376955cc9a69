package keyspace_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/store/keyspace"
)

func TestAKeyTellsItsKeyspace(t *testing.T) {
	require.Equal(t, "{darkroom}:order:1", keyspace.Keyspace{}.Key("order", "1"))
	require.Equal(t, "{T1}:active", keyspace.New("T1").Key("active"))
	for _, tag := range []string{"T1", keyspace.Default} {
		space, is := keyspace.Of(keyspace.New(tag).Key("order", "1"))
		require.True(t, is)
		require.Equal(t, keyspace.New(tag), space)
	}
	for _, text := range []string{"", "order", "darkroom}:x", "{}:x", `{"a":{"b":1}:`, "{darkroom}"} {
		_, is := keyspace.Of(text)
		require.False(t, is, text)
	}
}
