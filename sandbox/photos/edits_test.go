package photos

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheShelfIsBoundedAndForgetsNothingBefore(t *testing.T) {
	var s shelf
	big := retouched{full: make([]byte, maxShelved/2)}
	for look := range 2 {
		s.keep(edit{look: look}, big)
	}
	for look := range 2 {
		_, found := s.find(edit{look: look})
		require.True(t, found)
	}
	s.keep(edit{look: 2}, big)
	_, old := s.find(edit{look: 0})
	_, latest := s.find(edit{look: 2})
	require.False(t, old)
	require.True(t, latest)
	s.keep(edit{look: 3}, retouched{full: make([]byte, maxShelved+1)})
	_, huge := s.find(edit{look: 3})
	require.False(t, huge)
	require.LessOrEqual(t, s.bytes, maxShelved)
}

func TestAPictureThatWasEditedBeforeHasItsOwnName(t *testing.T) {
	small, err := encode(image.NewNRGBA(image.Rect(0, 0, 8, 8)), "image/png")
	require.NoError(t, err)
	var names []string
	for _, name := range []string{"a.webp", "b.webp"} {
		picture, err := retouch(source{name: name, kind: "image/webp", content: small}, 0)
		require.NoError(t, err)
		names = append(names, picture.name)
	}
	require.Equal(t, []string{"a.jpg", "b.jpg"}, names)
}
