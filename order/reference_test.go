package order_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
)

func TestReferencesAreSixUnmistakableCharacters(t *testing.T) {
	got, err := order.GenerateReference(strings.NewReader("\xff\x00\x01\x02\x19\x1a\x1b"))
	require.NoError(t, err)
	assert.Equal(t, "234Y23", got, "bytes that would favour some letters are passed over")
	_, err = order.GenerateReference(iotest.ErrReader(errors.New("no luck")))
	require.Error(t, err)
}

func TestFriendlyNamesAreTwoWords(t *testing.T) {
	got, err := order.FriendlyName(strings.NewReader("\x15\x04"))
	require.NoError(t, err)
	assert.Equal(t, "Sunny Dawn", got)
	for _, short := range []string{"", "\x01"} {
		_, err = order.FriendlyName(strings.NewReader(short))
		require.Error(t, err)
	}
}
