package kit_test

import (
	"testing"

	"darkroom/cards/kit"

	"github.com/stretchr/testify/require"
)

func TestForeignMetadataIsNoMeta(t *testing.T) {
	for _, foreign := range []string{"", "x", "[]", `{"revision":"a"}`, `{"order":1}`} {
		require.Equal(t, kit.Meta{}, kit.DecodeMeta(foreign))
	}
}
