package shipped

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// What CI tests is what operators get: both build with the same flags.
func TestItIsBuiltAsMakeBuildDoes(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^build:.*\n\tCGO_ENABLED=0 go build -trimpath -buildvcs=auto -tags production -ldflags="(.*)" -o \S+ \./cmd/darkroom$`).FindSubmatch(makefile)
	require.NotNil(t, found, "make build is one go build")
	require.Equal(t, ldflags, string(found[1]))
	ci, err := os.ReadFile("../../.ci/environment")
	require.NoError(t, err)
	require.Contains(t, string(ci), "\nGOFLAGS=\"$(go env GOFLAGS) -trimpath\"\nexport GOFLAGS CGO_ENABLED=0\n")
}
