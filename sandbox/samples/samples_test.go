package samples_test

import (
	"bytes"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/samples"
)

func TestTheSamplesArePhotosAndSmall(t *testing.T) {
	total := 0
	for _, s := range samples.All() {
		config, err := jpeg.DecodeConfig(bytes.NewReader(s.Content))
		require.NoError(t, err, s.Name)
		assert.Equal(t, []int{960, 640}, []int{config.Width, config.Height}, s.Name)
		assert.NotEmpty(t, s.Description)
		total += len(s.Content)
	}
	assert.Less(t, total, 200_000)
}
