package doctor

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/cmd/darkroom/manifest"
)

func TestDoctorTellsOfPermissionsThatNothingUses(t *testing.T) {
	t.Parallel()
	all := manifest.Names(manifest.Scopes)
	assert.Equal(t, fmt.Sprintf("Slack granted all %d permissions that are used.", len(all)), permissions(all).Message)
	found := permissions(append(all, "channels:manage", "users:write"))
	assert.Equal(t, Green, found.State)
	assert.Contains(t, found.Message, "It also granted channels:manage and users:write, which nothing uses.")
	assert.Empty(t, found.Fix)
}
